// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// cgroup_of(): the cgroup (version 2) of a process. cgroup_room(): what the cgroups (version 2) of a process leave it. tmmd sets
// memory.high of contributions, and the owner may.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::far {

// Without a limit.
inline constexpr std::int64_t no_bound = std::int64_t{1} << 60;

// Returns the path below the mounted cgroups; "/" for the root. root: "/". Error: the process is gone, or the machine has no
// cgroups of version 2.
Result<std::string> cgroup_of(const RootDir& root, pid_t pid);

// Returns the least of memory.high or memory.max, less memory.current, in bytes: of the cgroup and those above it; negative if
// one exceeds its limit.
std::int64_t cgroup_room(const RootDir& root, std::string cgroup);

// Returns the limit that makes a program take as much as its cgroups allow. All in bytes; used: that the program takes now.
std::uint64_t follow(std::uint64_t used, std::int64_t room, std::uint64_t min, std::uint64_t max);

}  // namespace tmm::far
