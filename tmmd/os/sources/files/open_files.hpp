// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OpenFiles: reads which files the owner's processes hold open, and how many reads memory served. Files that are mapped with
// MADV_RANDOM belong to them, too: the multi-gen LRU looks at no reference bit there. ProcOpenFiles does it with /proc/PID/io,
// fdinfo and smaps, in a helper process (HelpedOpenFiles). It opens none of these files.
// docs/decisions/stock-kernels.md gives the reasons. Called from one thread.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "base/units.hpp"
#include "tmmd/core/generations/read_flow.hpp"
#include "tmmd/os/sources/opaque_processes.hpp"

namespace tmm::os {

class OpenFiles {
public:
    virtual ~OpenFiles() = default;

    // Begins the next read(), if that has to wait. Returns whether read() would not wait.
    virtual bool prepare(const std::vector<std::string>& transparent_cgroups) = 0;

    // Returns the files of opaque cgroups. transparent_cgroups: the topmost. Error: they are not known; a later call may succeed.
    virtual Result<core::ReadFilesByCgroup> read(const std::vector<std::string>& transparent_cgroups) = 0;
};

// The files to look at.
enum class FileKinds : std::uint8_t {
    open,
    open_and_mapped,  // also those that are mapped with MADV_RANDOM
    unmapped,         // open ones, and of all others in memory that no process maps the number of pages
};

// NoOpenFiles: nobody can look at them.
class NoOpenFiles : public OpenFiles {
public:
    explicit NoOpenFiles(Error why) : why_(std::move(why)) {}

    bool prepare(const std::vector<std::string>&) override { return true; }
    Result<core::ReadFilesByCgroup> read(const std::vector<std::string>&) override { return why_; }

private:
    Error why_;
};

// What a process has read since it began, as /proc/PID/io counts it.
struct ReadCounts {
    std::uint64_t bytes = 0;      // by read(2) and its like; pipes and sockets count, too
    std::uint64_t calls = 0;      // of read(2) and its like
    std::uint64_t from_disk = 0;  // bytes

    bool operator==(const ReadCounts&) const = default;
};

// Parses /proc/PID/io. Error: as of parse_stat(). Pure.
Result<ReadCounts> parse_io(std::string_view text);

// Returns how many page reads memory may have served at most between two counts of a process: a call reads a part of a page more
// than its bytes say, and what came from a disk was not in memory. Pure.
std::uint64_t cached_reads(const ReadCounts& before, const ReadCounts& now, Bytes page_bytes);

// Of an open file, as /proc/PID/fdinfo tells it.
struct OpenFile {
    std::uint64_t mount = 0;
    std::uint64_t inode = 0;
    bool is_read = false;  // through the cache: not only written, no O_DIRECT, no O_PATH

    bool operator==(const OpenFile&) const = default;
};

// Error: EINVAL or ERANGE. Pure.
Result<OpenFile> parse_fdinfo(std::string_view text);

// Parses /proc/PID/mountinfo. Returns the device of each mount whose files may be looked at, by the mount's number: of file
// systems on a disk. Others may ask a user's program (FUSE) or another machine, and make the caller wait. Leaves out lines that
// it does not understand. Pure.
std::map<std::uint64_t, std::string> parse_disk_mounts(std::string_view text);

// Returns the memory of a cgroup that no process maps: files that were read. Nothing is known of the root, whose file tells of
// all cgroups.
core::Pages unmapped_files(const RootDir& root, const std::string& cgroup);

// Parses /proc/PID/maps: returns whether a file's mapping is so large that its advice is worth a look into smaps. Code is never
// read at random. Pure.
bool has_large_file(std::string_view maps);

// Parses /proc/PID/smaps: returns the resident pages of files that are mapped with MADV_RANDOM. Leaves out lines that it does not
// understand. Pure.
core::Pages parse_random_mappings(std::string_view smaps, Bytes page_bytes);

// Returns the processor time of /proc/PID/stat in ticks; nothing if it makes no sense. A process chooses its name, the second
// column. Pure.
std::optional<std::uint64_t> parse_processor_ticks(std::string_view stat);

class ProcOpenFiles {
public:
    // A process that read less from memory since its files were looked at is not looked at again: an owner hardly notices them,
    // and most processes wait for messages. Its reads add up.
    static constexpr std::uint64_t min_reads = 256;
    // Users may open files, map them and mount file systems without end. What is beyond counts as unused.
    struct Bounds {
        std::size_t of_process = 1024;     // open files
        std::size_t of_user = 16384;       // open files looked at in a call, and kept; root has four times as many
        std::size_t namespaces = 64;       // of mounts, for a user
        std::size_t map_bytes = 64 << 20;  // text of maps and smaps, for a user
    };
    // Smaps takes as long as an ageing call, and programs seldom change their advice.
    static constexpr int calls_per_look_at_mappings = 32;

    // root must outlive it.
    explicit ProcOpenFiles(const RootDir& root) : ProcOpenFiles(root, Bounds()) {}
    ProcOpenFiles(
        const RootDir& root, Bounds bounds, MayLook may_look = [](const OpaqueProcess&) { return true; })
        : root_(&root), bounds_(bounds), may_look_(std::move(may_look)) {}

    // As of OpenFiles, at once, by the cgroups' paths. Files are in memory as far as their cgroup has memory that no process
    // maps. One that several processes hold open counts once for each of their cgroups, so that nobody takes the files of others
    // by opening them. Error: of /proc; EPERM or EACCES, this process may look at no other.
    Result<std::map<std::string, core::ReadFiles>> read(const std::vector<std::string>& transparent_cgroups, FileKinds kinds);

    // Returns the users who had more than the bounds allow at the last read().
    [[nodiscard]] const std::set<uid_t>& left_out() const { return left_out_; }

private:
    using FileId = std::pair<std::string, std::uint64_t>;  // device and inode
    struct Process {
        ReadCounts counts;                      // as of the last look at its files
        std::map<FileId, core::Pages> files{};  // whole pages, in memory or not
        int calls_until_mappings = 0;
        core::Pages mapped{0};    // with MADV_RANDOM
        std::uint64_t ticks = 0;  // of processor time, as of the last call
    };

    // What one call may still look at.
    struct Budgets;

    void look_at_files(const OpaqueProcess& process, Process& known, Budgets& budgets) const;
    // Returns the files mapped with MADV_RANDOM. As long as the process runs it may use all of them.
    core::ReadFiles mapped_files(const OpaqueProcess& process, Process& known, Budgets& budgets) const;

    const RootDir* root_;
    Bounds bounds_;
    MayLook may_look_;
    std::map<std::string, Process> processes_;  // by number, as of the last read()
    std::optional<Error> refused_;              // by the kernel, in the last read()
    std::set<uid_t> left_out_;                  // users with more than the bounds, in the last read()
};

}  // namespace tmm::os
