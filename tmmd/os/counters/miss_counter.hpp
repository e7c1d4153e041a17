// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MissCounter: major page faults of opaque processes: those of the whole machine (/proc/vmstat) less those of the transparent
// cgroups (their memory.stat, which counts a cgroup with all below it). Called from one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/os/counters/vmstat_delta.hpp"

namespace tmm::os {

class MissCounter {
public:
    explicit MissCounter(const RootDir& root) : delta_(root, {"pgmajfault"}) {}

    // Opaque major faults since the last call; 0 at the first. transparent_cgroups: paths below the root directory, none inside
    // another. A cgroup that vanished since the last call takes its last faults with it: those count as opaque.
    Result<std::uint64_t> read_delta(const std::vector<std::string>& transparent_cgroups);

private:
    VmstatDelta<1> delta_;
};

}  // namespace tmm::os
