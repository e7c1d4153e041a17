// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which cgroups are transparent: those named transparent.slice, or with the extended attribute user.tmm.class=transparent, with
// all below them. And the mark that tells the patched kernel so: 1 in memory.transparent.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::os {

// Where cgroup v2 is mounted, below the root directory.
inline constexpr const char* cgroup_mount = "sys/fs/cgroup";

// A user who makes ever more cgroups makes nobody search for longer than that.
inline constexpr std::size_t max_cgroups_per_user = 4096;

// The topmost transparent cgroups, as paths below the root directory, sorted. A cgroup that vanishes meanwhile is left out, and
// what a user has beyond max_per_user. Error: no cgroup v2 at all.
Result<std::vector<std::string>> find_transparent_cgroups(const RootDir& root, std::size_t max_per_user = max_cgroups_per_user);

// Pure. Whether a cgroup as /proc/PID/cgroup writes it ("/a/b") is one of those, or below one.
bool is_below(std::string_view cgroup, const std::vector<std::string>& transparent);

struct MarkResult {
    bool newly_marked = false;
    std::string problem;  // empty, or why it could not be marked
};

// Writes 1 to the cgroup's memory.transparent unless it is 1. A cgroup that vanished is no problem.
MarkResult mark_transparent(const RootDir& root, const std::string& cgroup);

}  // namespace tmm::os
