// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/files/open_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <optional>
#include <set>

#include "base/bounds/user_budget.hpp"
#include "base/text/proc_text.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {

namespace {

// overlayfs and the like would ask the file system below, which may be any. ZFS has a cache of its own.
constexpr std::array<std::string_view, 10> disk_file_systems{"ext2", "ext3", "ext4",     "xfs",   "btrfs",
                                                             "f2fs", "vfat", "bcachefs", "exfat", "ntfs3"};

// The texts of a browser have some 2 MB.
constexpr std::size_t max_mappings_bytes = 8 << 20;
constexpr std::uint64_t min_mapping_bytes = 16 << 20;

// The first line of a mapping in maps and smaps: "begin-end rwxp offset device inode path".
struct Mapping {
    std::uint64_t bytes = 0;
    bool is_file = false;
    bool is_code = false;
};

std::optional<std::uint64_t> parse_hex(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional(value) : std::nullopt;
}

// Returns the length of "begin-end"; nothing if the word is no range, or an empty one.
std::optional<std::uint64_t> parse_range_bytes(std::string_view word) {
    const auto dash = word.find('-');
    if (dash == std::string_view::npos)
        return std::nullopt;
    const auto begin = parse_hex(word.substr(0, dash));
    const auto end = parse_hex(word.substr(dash + 1));
    if (!begin || !end || *begin >= *end)
        return std::nullopt;
    return *end - *begin;
}

std::optional<Mapping> parse_mapping(std::string_view line) {
    const auto bytes = parse_range_bytes(next_word(line));
    const std::string_view rights = next_word(line);
    if (!bytes || rights.size() != 4)
        return std::nullopt;
    next_word(line);  // the offset
    next_word(line);  // the device
    const auto inode = parse_uint(next_word(line));
    return Mapping{*bytes, inode && *inode != 0, rights[2] == 'x'};
}

// Returns the number after "name:" and blanks. base: of its digits.
Result<std::uint64_t> number_after(std::string_view text, std::string_view name, int base) {
    while (!text.empty()) {
        std::string_view line = next_line(text);
        if (!line.starts_with(name) || !line.substr(name.size()).starts_with(':'))
            continue;
        line.remove_prefix(name.size() + 1);
        const std::string_view word = next_word(line);
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(word.begin(), word.end(), number, base);
        if (error == std::errc::result_out_of_range)
            return Error::from_errno(ERANGE, std::string(name));
        if (error != std::errc() || end != word.end())
            return Error::from_errno(EINVAL, std::string(name));
        return number;
    }
    return Error(EINVAL, "no " + std::string(name));
}

// Returns whether a descriptor's link leads to no path, as those of sockets, pipes and epoll(7) do. To tell of an epoll
// descriptor the kernel asks the files that it watches, which may never answer.
bool is_nameless(const RootDir& root, const std::string& link) {
    char first = '/';
    return ::readlinkat(root.fd(), link.c_str(), &first, 1) == 1 && first != '/';
}

}  // namespace

Result<ReadCounts> parse_io(std::string_view text) {
    const auto bytes = parse_stat(text, "rchar:");
    const auto calls = parse_stat(text, "syscr:");
    const auto from_disk = parse_stat(text, "read_bytes:");
    for (const auto* number : {&bytes, &calls, &from_disk}) {
        if (!*number)
            return number->error();
    }
    return ReadCounts{*bytes, *calls, *from_disk};
}

std::uint64_t cached_reads(const ReadCounts& before, const ReadCounts& now, Bytes page_bytes) {
    // Another process may have the number by now.
    const bool is_same = now.bytes >= before.bytes && now.calls >= before.calls && now.from_disk >= before.from_disk;
    const ReadCounts& since = is_same ? before : ReadCounts{};
    const std::uint64_t all = (now.bytes - since.bytes) / page_bytes.count() + (now.calls - since.calls);
    const std::uint64_t missed = (now.from_disk - since.from_disk) / page_bytes.count();
    return all - std::min(all, missed);
}

Result<OpenFile> parse_fdinfo(std::string_view text) {
    const auto flags = number_after(text, "flags", 8);
    const auto mount = number_after(text, "mnt_id", 10);
    const auto inode = number_after(text, "ino", 10);
    for (const auto* number : {&flags, &mount, &inode}) {
        if (!*number)
            return number->error();
    }
    const bool is_read =
        (*flags & O_ACCMODE) != O_WRONLY && (*flags & std::uint64_t{O_DIRECT}) == 0 && (*flags & std::uint64_t{O_PATH}) == 0;
    return OpenFile{*mount, *inode, is_read};
}

std::map<std::uint64_t, std::string> parse_disk_mounts(std::string_view text) {
    std::map<std::uint64_t, std::string> devices;
    while (!text.empty()) {
        std::string_view line = next_line(text);
        const auto mount = parse_uint(next_word(line));
        next_word(line);  // the parent's number
        const std::string_view device = next_word(line);
        // Blanks in paths are written as \040.
        const std::size_t dash = line.find(" - ");
        if (!mount || dash == std::string_view::npos)
            continue;
        line.remove_prefix(dash + 3);
        if (std::ranges::find(disk_file_systems, next_word(line)) != disk_file_systems.end())
            devices[*mount] = device;
    }
    return devices;
}

bool has_large_file(std::string_view maps) {
    while (!maps.empty()) {
        std::string_view line = next_line(maps);
        const auto mapping = parse_mapping(line);
        if (mapping && mapping->is_file && !mapping->is_code && mapping->bytes >= min_mapping_bytes)
            return true;
    }
    return false;
}

core::Pages parse_random_mappings(std::string_view smaps, Bytes page_bytes) {
    std::uint64_t bytes = 0;
    std::uint64_t resident = 0;  // of the mapping that the line belongs to
    bool is_file = false;
    while (!smaps.empty()) {
        const std::string_view line = next_line(smaps);
        if (const auto mapping = parse_mapping(line)) {
            is_file = mapping->is_file;
            resident = 0;
        } else if (const auto rss = parse_meminfo_bytes(line, "Rss")) {
            resident = *rss;
        } else if (is_file && line.starts_with("VmFlags:") && (std::string(line) + " ").find(" rr ") != std::string::npos) {
            bytes += resident;
        }
    }
    return core::to_pages(Bytes(bytes), page_bytes);
}

std::optional<std::uint64_t> parse_processor_ticks(std::string_view stat) {
    const auto name_end = stat.rfind(')');
    if (name_end == std::string_view::npos)
        return std::nullopt;
    std::string_view rest = trim(stat.substr(name_end + 1));
    // proc(5) counts columns from 1; the state is the third.
    for (int column = 3; column < 14; ++column)
        next_word(rest);
    const auto user = parse_uint(next_word(rest));
    const auto system = parse_uint(next_word(rest));
    return user && system ? std::optional(*user + *system) : std::nullopt;
}

core::Pages unmapped_files(const RootDir& root, const std::string& cgroup) {
    const auto text =
        cgroup == "/" ? Result<std::string>(Error(ENOENT, "")) : root.read_file(cgroup_mount + cgroup + "/memory.stat");
    if (!text)
        return core::Pages(0);
    const auto pages = [&](const char* name) {
        const auto bytes = parse_stat(*text, name);
        return bytes ? core::to_pages(Bytes(*bytes), page_bytes()) : core::Pages(0);
    };
    return saturating_sub(saturating_sub(pages("file"), pages("shmem")), pages("file_mapped"));
}

struct ProcOpenFiles::Budgets {
    explicit Budgets(const Bounds& bounds)
        : files(bounds.of_user, 4), namespaces(bounds.namespaces, 4), map_bytes(bounds.map_bytes, 4) {}

    UserBudget files;
    UserBudget namespaces;
    UserBudget map_bytes;
    std::map<ino_t, std::map<std::uint64_t, std::string>> devices;  // of each namespace's mounts

    // Returns the mounts that a process sees; empty beyond the bound.
    const std::map<std::uint64_t, std::string>& devices_of(const RootDir& root, const OpaqueProcess& process) {
        struct stat status {};
        const std::string folder = "proc/" + process.number;
        const bool known = ::fstatat(root.fd(), (folder + "/ns/mnt").c_str(), &status, 0) == 0;
        const ino_t id = known ? status.st_ino : 0;
        const auto found = devices.find(id);
        if (found != devices.end())
            return found->second;
        const auto text =
            namespaces.take(process.user) ? root.read_file(folder + "/mountinfo") : Result<std::string>(Error(EUSERS, folder));
        return devices[id] = text ? parse_disk_mounts(*text) : std::map<std::uint64_t, std::string>();
    }
};

void ProcOpenFiles::look_at_files(const OpaqueProcess& process, Process& known, Budgets& budgets) const {
    known.files.clear();
    const std::string folder = "proc/" + process.number;
    const std::size_t max = std::min(bounds_.of_process, budgets.files.left(process.user));
    const auto names = root_->list_names(folder + "/fdinfo", max + 1);
    if (!names)
        return;
    const auto& devices = budgets.devices_of(*root_, process);
    std::size_t looked_at = 0;
    for (const std::string& name : *names) {
        if (looked_at == bounds_.of_process || !budgets.files.take(process.user))
            return;
        ++looked_at;
        const std::string link = folder + "/fd/" + name;
        if (is_nameless(*root_, link))
            continue;
        const auto text = root_->read_file(folder + "/fdinfo/" + name);
        const auto file = text ? parse_fdinfo(*text) : Result<OpenFile>(text.error());
        const auto device = file ? devices.find(file->mount) : devices.end();
        if (device == devices.end() || !file->is_read)
            continue;
        // The process may hold another file by now, so this must not ask its file system either.
        struct statx status {};
        if (::statx(root_->fd(), link.c_str(), AT_STATX_DONT_SYNC, STATX_TYPE | STATX_SIZE, &status) != 0 ||
            !S_ISREG(status.stx_mode))
            continue;
        const std::uint64_t page = page_bytes().count();
        known.files[{device->second, file->inode}] = core::Pages(status.stx_size / page + (status.stx_size % page != 0));
    }
}

core::ReadFiles ProcOpenFiles::mapped_files(const OpaqueProcess& process, Process& known, Budgets& budgets) const {
    const std::string folder = "proc/" + process.number;
    // Returns the text of a list of mappings; empty if there is none, or it is longer than what is left.
    const auto mappings = [&](const char* name) {
        const std::size_t left = std::min(max_mappings_bytes, budgets.map_bytes.left(process.user));
        auto text = root_->read_file(folder + name, left);
        if (!text && text.error().code() == EFBIG)
            budgets.map_bytes.take(process.user, left);
        if (!text || !budgets.map_bytes.take(process.user, text->size()))
            return std::string();
        return *std::move(text);
    };
    if (known.calls_until_mappings-- == 0) {
        known.calls_until_mappings = calls_per_look_at_mappings - 1;
        known.mapped =
            has_large_file(mappings("/maps")) ? parse_random_mappings(mappings("/smaps"), page_bytes()) : core::Pages(0);
    }
    if (known.mapped == core::Pages(0))
        return {};
    const auto stat = root_->read_file(folder + "/stat");
    const auto ticks = stat ? parse_processor_ticks(*stat) : std::nullopt;
    const bool has_run = ticks && std::exchange(known.ticks, *ticks) != *ticks;
    return {known.mapped, has_run ? known.mapped : core::Pages(0)};
}

Result<std::map<std::string, core::ReadFiles>> ProcOpenFiles::read(const std::vector<std::string>& transparent_cgroups,
                                                                   FileKinds kinds) {
    const auto opaque = opaque_processes(*root_, transparent_cgroups);
    if (!opaque)
        return opaque.error();
    refused_.reset();
    std::map<std::string, Process> processes;
    std::map<std::string, core::ReadFiles> by_path;
    std::map<std::string, core::Pages> room;  // cache of each cgroup that no file has taken yet
    const auto room_of = [&](const std::string& cgroup) -> core::Pages& {
        const auto found = room.find(cgroup);
        return found == room.end() ? room[cgroup] = unmapped_files(*root_, cgroup) : found->second;
    };
    std::map<std::string, std::set<FileId>> counted;  // of each cgroup
    Budgets budgets(bounds_);
    for (const OpaqueProcess& process : opaque->list) {
        if (!may_look_(process))
            continue;
        const auto text = root_->read_file("proc/" + process.number + "/io");
        const auto counts = text ? parse_io(*text) : Result<ReadCounts>(text.error());
        if (!counts && is_refusal(counts.error().code()))
            refused_ = counts.error();
        if (!counts)
            continue;
        auto before = processes_.extract(process.number);
        Process known = before.empty() ? Process{} : std::move(before.mapped());
        const std::uint64_t reads = cached_reads(known.counts, *counts, page_bytes());
        const bool has_read = reads >= min_reads;
        if (has_read) {
            look_at_files(process, known, budgets);
            known.counts = *counts;
        } else if (!budgets.files.take(process.user, known.files.size())) {
            known.files.clear();
        }
        core::ReadFiles files;
        for (const auto& [id, pages] : known.files) {
            if (!counted[process.cgroup].insert(id).second)
                continue;
            core::Pages& left = room_of(process.cgroup);
            const core::Pages cached = std::min(pages, left);
            files.cached += cached;
            left = left - cached;
        }
        files.used = has_read ? core::expected_used(files.cached, reads) : core::Pages(0);
        if (kinds == FileKinds::open_and_mapped)
            files += mapped_files(process, known, budgets);
        if (kinds == FileKinds::unmapped)
            room_of(process.cgroup);
        if (files.cached > core::Pages(0))
            by_path[process.cgroup] += files;
        processes[process.number] = std::move(known);
    }
    processes_ = std::move(processes);
    left_out_ = opaque->left_out;
    for (const UserBudget* budget : {&budgets.files, &budgets.namespaces, &budgets.map_bytes})
        left_out_.insert(budget->exceeded().begin(), budget->exceeded().end());
    if (refused_ && by_path.empty())
        return Error(refused_->code(), refused_->message() + ": it needs CAP_SYS_PTRACE");
    for (const auto& [cgroup, left] : room) {
        if (kinds == FileKinds::unmapped && left > core::Pages(0))
            by_path[cgroup].others = left;
    }
    return by_path;
}

}  // namespace tmm::os
