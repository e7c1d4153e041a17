// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MissCounter: major page faults of opaque processes: those of the whole machine (/proc/vmstat) less those of the transparent
// cgroups (their memory.stat, which counts a cgroup with all below it). Called from one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::os {

// The number behind name in text of lines "name number" (/proc/vmstat, memory.stat). Pure. Error: no such line, no number.
Result<std::uint64_t> parse_stat(std::string_view text, std::string_view name);

class MissCounter {
public:
    explicit MissCounter(const RootDir& root) : root_(root) {}

    // Opaque major faults since the last call; 0 at the first. transparent_cgroups: paths below the root directory, none inside
    // another. A cgroup that vanished since the last call takes its last faults with it: those count as opaque.
    Result<std::uint64_t> count(const std::vector<std::string>& transparent_cgroups);

private:
    const RootDir& root_;
    bool started_ = false;
    std::uint64_t machine_faults_ = 0;
    std::map<std::string, std::uint64_t> cgroup_faults_;
};

}  // namespace tmm::os
