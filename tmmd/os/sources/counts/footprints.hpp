// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Footprints: reads how much memory the owner's processes have referenced, and clears their references. ProcFootprints does it
// with smaps_rollup and clear_refs of each process. Called from one thread.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/generations/footprint_flow.hpp"
#include "tmmd/os/sources/opaque_processes.hpp"
#include "tmmd/os/sources/seen_memories.hpp"

namespace tmm::os {

// A process with more has its references never cleared, so all its memory counts as used: the kernel lets it start no page fault
// while it clears, some 25 ms for each GiB.
inline constexpr Bytes max_cleared{std::uint64_t{2} << 30};

// What a process has. Memory that processes share is divided among them.
struct ProcessMemory {
    core::Footprint footprint;
    Bytes resident{0};  // shared memory in full
};

// Parses /proc/PID/statm, with all memory as used. Memory that processes share counts in full. Error: EINVAL or ERANGE. Pure.
Result<core::Footprint> parse_statm(std::string_view text);

// Parses /proc/PID/smaps_rollup. Files and anonymous memory count as referenced in the same share, since the kernel tells the
// sum. Error: as of parse_meminfo_bytes(). Pure.
Result<ProcessMemory> parse_smaps_rollup(std::string_view text, Bytes page_bytes);

class Footprints {
public:
    virtual ~Footprints() = default;

    // Begins the next read(), if that has to wait. Returns whether read() would not wait.
    virtual bool prepare(const std::vector<std::string>& transparent_cgroups) = 0;

    // Returns the footprints of the opaque cgroups with processes. transparent_cgroups: the topmost.
    virtual Result<std::map<core::CgroupId, core::Footprint>> read(const std::vector<std::string>& transparent_cgroups) = 0;

    // Clears the references of the processes of the last read(). A process that ended is no error. It may go on after the call,
    // and another error then is that of the next read().
    virtual Result<void> clear() = 0;

    // Returns the processor time that all this has taken, as far as it is known.
    [[nodiscard]] virtual core::Seconds cpu_time() const = 0;

    // As SampleSource::has_failed().
    [[nodiscard]] virtual bool have_failed() const { return false; }
};

// ProcFootprints: runs in a helper process (HelpedFootprints). A security module may keep some processes from it. Their memory
// counts as used, all that /proc/PID/statm tells: it is an error only if there is no other process. Of processes that share their
// memory, one counts.
class ProcFootprints {
public:
    // root must outlive it. Error: ENODEV, a kernel without these files.
    static Result<ProcFootprints> open(
        const RootDir& root, MayLook may_look = [](const OpaqueProcess&) { return true; });
    ProcFootprints(const RootDir& root, MayLook may_look, CompareMemories compare)
        : root_(&root), may_look_(std::move(may_look)), seen_(std::move(compare)) {}

    // As of Footprints, at once.
    Result<std::map<core::CgroupId, core::Footprint>> read(const std::vector<std::string>& transparent_cgroups);
    Result<void> clear();

    // Returns the users who had more processes than the bound at the last read().
    [[nodiscard]] const std::set<uid_t>& left_out() const { return left_out_; }

private:
    // Returns the sum of a cgroup, which begins with the files that no process maps.
    core::Footprint& sum_of(const std::string& cgroup, std::map<std::string, core::Footprint>& by_path) const;
    // Adds one process. Error: of the files that must be readable.
    Result<void> add(const OpaqueProcess& process, std::map<std::string, core::Footprint>& by_path);

    const RootDir* root_;
    MayLook may_look_;
    SeenMemories seen_;  // in the last read()
    std::vector<OpaqueProcess> to_clear_;
    std::set<uid_t> left_out_;
    std::optional<Error> refused_;  // of a process that it could not read, in the last read()
    std::size_t nr_readable_ = 0;   // processes
};

}  // namespace tmm::os
