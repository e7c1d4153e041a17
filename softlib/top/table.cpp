// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "top/table.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "softlib/advice.hpp"

namespace soft::top {
namespace {

template <class... Values>
std::string format(const char* pattern, Values... values) {
    std::array<char, 512> text;
    const int length = std::snprintf(text.data(), text.size(), pattern, values...);
    return {text.data(), std::min(static_cast<std::size_t>(std::max(length, 0)), text.size() - 1)};
}

const Process* find_process(const Snapshot& snapshot, const Process& like) {
    const auto at = std::find_if(snapshot.processes.begin(), snapshot.processes.end(),
                                 [&](const Process& one) { return one.pid == like.pid && one.command == like.command; });
    return at != snapshot.processes.end() ? &*at : nullptr;
}

const Pool* find_pool(const Process* process, const HeapOfProcess& heap, const Pool& like) {
    if (process == nullptr) {
        return nullptr;
    }
    for (const HeapOfProcess& one : process->heaps) {
        if (one.id != heap.id) {
            continue;
        }
        const auto at =
            std::find_if(one.pools.begin(), one.pools.end(), [&](const Pool& pool) { return pool.name == like.name; });
        if (at != one.pools.end()) {
            return &*at;
        }
    }
    return nullptr;
}

// The memory that the kernel was offered and cannot take, at least. Memory that is being filled is resident, and not offered.
std::uint64_t stuck_bytes(const HeapOfProcess& heap) {
    const std::uint64_t takeable =
        heap.mapped.lazy_free_bytes + heap.segment_bytes - std::min(heap.offered_bytes, heap.segment_bytes);
    return heap.mapped.resident_bytes - std::min<std::uint64_t>(takeable, heap.mapped.resident_bytes);
}

std::string heap_lines(const Process& process, const HeapOfProcess& heap) {
    std::string text = format("%7d %-15.15s %6u %8s %8s %8s %8s %9s\n", process.pid, process.command.c_str(), heap.id,
                              in_binary_units(heap.limit_bytes).c_str(), in_binary_units(heap.segment_bytes).c_str(),
                              in_binary_units(heap.live_bytes).c_str(), in_binary_units(heap.mapped.resident_bytes).c_str(),
                              in_binary_units(heap.mapped.lazy_free_bytes).c_str());
    if (const std::uint64_t stuck = stuck_bytes(heap); stuck > heap.offered_bytes / 10) {
        text += format("        ! the kernel was offered %s that it cannot take\n", in_binary_units(stuck).c_str());
    }
    return text;
}

std::string pool_lines(const Pool& pool, const Pool* before, double seconds) {
    const pool_statistics& now = pool.statistics;
    const pool_statistics& old = before != nullptr ? before->statistics : now;
    // A later pool of the same name counts from 0.
    auto rate = [&](std::uint64_t later, std::uint64_t earlier) {
        return seconds > 0 ? static_cast<double>(later - std::min(later, earlier)) / seconds : 0.0;
    };
    const double hits = rate(now.hits, old.hits);
    const double misses = rate(now.misses, old.misses);
    const double rebuild_ms =
        rate(static_cast<std::uint64_t>(now.rebuild_time.count()), static_cast<std::uint64_t>(old.rebuild_time.count())) / 1e6;
    std::string text =
        format("    %-18.18s %9llu %7s %9.0f %6.1f %8.1f %12.1f\n", pool.name.empty() ? "(no name)" : pool.name.c_str(),
               static_cast<unsigned long long>(now.objects), in_binary_units(now.pinned_bytes).c_str(), hits,
               hits + misses > 0 ? 100 * misses / (hits + misses) : 0.0, rate(now.lost, old.lost), rebuild_ms);
    for (const std::string& sentence : advice(now)) {
        text += "          ! " + sentence + "\n";
    }
    return text;
}

}  // namespace

std::string in_binary_units(std::uint64_t bytes) {
    constexpr std::array units = {"", "K", "M", "G", "T", "P"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    // 1023.95 would be shown as 1024.0
    while (value >= 1023.95 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    return format(unit == 0 ? "%.0f%s" : "%.1f%s", value, units[unit]);
}

std::string table(const Snapshot& now, const Snapshot& before, std::chrono::duration<double> elapsed) {
    std::string text =
        "    PID COMMAND           HEAP    LIMIT   MEMORY   IN USE RESIDENT LAZY-FREE\n"
        "    POOL                 OBJECTS  PINNED    HITS/S MISS %   LOST/S REBUILD MS/S\n";
    for (const Process& process : now.processes) {
        if (!process.trouble.empty()) {
            text += format("%7d %-15.15s ", process.pid, process.command.c_str()) + process.trouble + "\n";
        }
        for (const HeapOfProcess& heap : process.heaps) {
            text += heap_lines(process, heap);
            for (const Pool& pool : heap.pools) {
                text += pool_lines(pool, find_pool(find_process(before, process), heap, pool), elapsed.count());
            }
        }
    }
    if (now.processes.empty()) {
        text += "No process has soft memory.\n";
    }
    if (now.hidden > 0) {
        text += format("%zu processes may not be read: run softlib-top as root to see all.\n", now.hidden);
    }
    return text;
}

}  // namespace soft::top
