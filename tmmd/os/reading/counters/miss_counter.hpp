// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MissCounter: counts major page faults of opaque processes. It subtracts those of the transparent cgroups from those of the
// whole machine (/proc/vmstat). A cgroup's memory.stat includes all cgroups below it. Called from one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/os/reading/counters/vmstat_delta.hpp"

namespace tmm::os {

class MissCounter {
public:
    explicit MissCounter(const RootDir& root) : delta_(root, {"pgmajfault"}) {}

    // Returns the opaque major faults since the last call; 0 at the first. transparent_cgroups: paths below the root directory,
    // none inside another. The last faults of a cgroup that vanished since the last call count as opaque. Error: /proc/vmstat
    // cannot be read or lacks the counter.
    Result<std::uint64_t> read_delta(const std::vector<std::string>& transparent_cgroups);

private:
    VmstatDelta<1> delta_;
};

}  // namespace tmm::os
