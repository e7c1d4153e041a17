// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Footprints: reads how much memory the owner's processes have referenced, and clears their references. ProcFootprints does it
// with smaps_rollup and clear_refs of each process. Called from one thread.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/generations/footprint_flow.hpp"

namespace tmm::os {

// Bounds the processes, which users may start without end. The memory of those beyond counts as unknown.
inline constexpr std::size_t max_processes = 4096;

// A process with more has its references never cleared, so all its memory counts as used: the kernel lets it start no page fault
// while it clears, some 25 ms for each GiB.
inline constexpr Bytes max_cleared{std::uint64_t{2} << 30};

// What a process has. Memory that processes share is divided among them.
struct ProcessMemory {
    core::Footprint footprint;
    Bytes resident{0};  // shared memory in full
};

// Parses /proc/PID/smaps_rollup. Files and anonymous memory count as referenced in the same share, since the kernel tells the
// sum. Error: as of parse_meminfo_bytes(). Pure.
Result<ProcessMemory> parse_smaps_rollup(std::string_view text, Bytes page_bytes);

class Footprints {
public:
    virtual ~Footprints() = default;

    // Returns the footprints of the opaque cgroups with processes. transparent_cgroups: the topmost, sorted.
    virtual Result<std::map<core::CgroupId, core::Footprint>> read(const std::vector<std::string>& transparent_cgroups) = 0;

    // Clears the references of the processes of the last read(). A process that ended is no error.
    virtual Result<void> clear() = 0;
};

class ProcFootprints : public Footprints {
public:
    // root must outlive it. Error: ENODEV, a kernel without these files; EACCES or EPERM: no CAP_SYS_PTRACE or CAP_DAC_OVERRIDE.
    static Result<ProcFootprints> open(const RootDir& root);

    Result<std::map<core::CgroupId, core::Footprint>> read(const std::vector<std::string>& transparent_cgroups) override;
    Result<void> clear() override;

private:
    explicit ProcFootprints(const RootDir& root) : root_(&root) {}
    // Adds one process.
    Result<void> add(const std::string& pid, const std::vector<std::string>& transparent_cgroups,
                     std::map<std::string, core::Footprint>& by_path);

    const RootDir* root_;
    std::vector<std::string> to_clear_;  // process numbers
};

}  // namespace tmm::os
