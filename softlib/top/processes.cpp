// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "top/processes.hpp"

#include <dirent.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include "src/base/proc_text.hpp"
#include "src/counters/statistics.hpp"

namespace soft::top {
namespace {

std::uint64_t count(const detail::Counter& counter) {
    return counter.load(std::memory_order_relaxed);
}

// Replaces control characters: a process's texts may be anything, also sequences that confuse a terminal.
std::string printable(std::string_view text) {
    std::string out(text);
    std::replace_if(
        out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; }, '?');
    return out;
}

std::string name_of(const detail::Slot& slot) {
    return printable({slot.name.data(), strnlen(slot.name.data(), slot.name.size())});
}

bool read_memory(pid_t pid, std::uintptr_t from, void* to, std::size_t bytes) {
    const iovec local{to, bytes};
    const iovec remote{std::bit_cast<void*>(from), bytes};
    return process_vm_readv(pid, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes);
}

void read_board(Process& process, std::uintptr_t address, const std::string& folder) {
    auto board = std::make_unique<detail::Board>();
    if (!read_memory(process.pid, address, board.get(), sizeof *board)) {
        process.trouble =
            errno == EPERM ? "may not be read: run softlib-top as root, or see kernel.yama.ptrace_scope" : std::strerror(errno);
    } else if (board->magic != detail::Board::right_magic || board->layout != detail::Board::version ||
               board->slot_bytes != sizeof(detail::Slot)) {
        process.trouble = "uses another version of softlib than this softlib-top";
    } else {
        process.heaps = heaps_of(*board, detail::read_proc(folder + "/smaps"));
    }
}

}  // namespace

std::optional<std::uintptr_t> find_board(std::string_view maps) {
    const std::size_t name = maps.find(std::string("/memfd:") + detail::Board::mapping_name);
    if (name == std::string_view::npos) {
        return std::nullopt;
    }
    const std::size_t line = maps.rfind('\n', name) + 1;
    std::uintptr_t address = 0;
    const auto end = std::from_chars(maps.data() + line, maps.data() + name, address, 16);
    return end.ec == std::errc() ? std::optional(address) : std::nullopt;
}

std::vector<HeapOfProcess> heaps_of(const detail::Board& board, std::string_view smaps) {
    std::vector<HeapOfProcess> heaps;
    for (const detail::Slot& slot : board.slots) {
        if (slot.kind.load(std::memory_order_relaxed) == detail::Slot::Kind::heap) {
            const std::uint64_t base = count(slot.of_heap.base_address);
            heaps.push_back({slot.heap_id,
                             count(slot.of_heap.limit_bytes),
                             count(slot.of_heap.segment_bytes),
                             count(slot.of_heap.live_bytes),
                             count(slot.of_heap.offered_bytes),
                             detail::parse_smaps(smaps, base, base + count(slot.of_heap.reserved_bytes)),
                             {}});
        }
    }
    for (const detail::Slot& slot : board.slots) {
        if (slot.kind.load(std::memory_order_relaxed) != detail::Slot::Kind::pool) {
            continue;
        }
        const auto heap =
            std::find_if(heaps.begin(), heaps.end(), [&](const HeapOfProcess& one) { return one.id == slot.heap_id; });
        if (heap != heaps.end()) {
            heap->pools.push_back({name_of(slot), detail::statistics_of(slot.of_pool)});
        }
    }
    return heaps;
}

Snapshot poll_processes(std::optional<pid_t> only) {
    Snapshot snapshot;
    DIR* proc = opendir("/proc");
    while (const dirent* entry = proc != nullptr ? readdir(proc) : nullptr) {
        Process process;
        const char* end = entry->d_name + std::strlen(entry->d_name);
        if (std::from_chars(entry->d_name, end, process.pid).ptr != end || (only && process.pid != *only)) {
            continue;
        }
        const std::string folder = std::string("/proc/") + entry->d_name;
        if (access((folder + "/maps").c_str(), R_OK) != 0) {
            ++snapshot.hidden;
            continue;
        }
        if (const auto address = find_board(detail::read_proc(folder + "/maps"))) {
            const std::string command = detail::read_proc(folder + "/comm");
            process.command = printable(std::string_view(command).substr(0, command.find('\n')));
            read_board(process, *address, folder);
            snapshot.processes.push_back(std::move(process));
        }
    }
    if (proc != nullptr) {
        closedir(proc);
    }
    std::sort(snapshot.processes.begin(), snapshot.processes.end(),
              [](const Process& one, const Process& other) { return one.pid < other.pid; });
    return snapshot;
}

}  // namespace soft::top
