// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the cgroups with marks, and marks the transparent ones in the kernel. A cgroup is transparent, with all below it, if its
// name is transparent.slice or its extended attribute user.tmm.class is "transparent". The mark for the patched kernel is 1 in
// memory.transparent. Called from one thread.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

// The mount point of cgroup v2, below the root directory.
inline constexpr const char* cgroup_mount = "sys/fs/cgroup";

// Bounds the search, so that a user who makes ever more cgroups cannot prolong it. Root has four times as many.
inline constexpr std::size_t max_cgroups_per_user = 1024;
// Bounds the topmost transparent cgroups of a user. Root has no bound: nobody else makes cgroups there.
inline constexpr std::size_t max_transparent_per_user = 64;

struct MarkedCgroups {
    std::vector<std::string> transparent;   // the topmost, as paths below the root directory, sorted
    std::vector<core::CgroupId> uncounted;  // opaque ones with Exception::never_count, and all below them; rising
};

// Returns the cgroups with marks. It leaves out cgroups that vanish meanwhile, and those of a user beyond the bounds. It finds a
// transparent.slice before its neighbours. As it is with classes, no mark of a user's whole desktop counts. Error: no cgroup v2
// at all.
Result<MarkedCgroups> find_marked_cgroups(const RootDir& root, std::size_t max_per_user = max_cgroups_per_user);
// Returns the transparent ones.
Result<std::vector<std::string>> find_transparent_cgroups(const RootDir& root, std::size_t max_per_user = max_cgroups_per_user);

// Returns the user for whom a cgroup counts: the first owner on the way from the mount point that is not root, since that user
// may make everything below, for other user numbers, too. Root if there is none.
uid_t user_of(const RootDir& root, const std::string& cgroup);
// Returns the same for an open directory: who may make cgroups in it. above: that of the directory above; root for none.
uid_t user_of(const RootDir& dir, uid_t above);

// Returns the names of at most max cgroups directly in dir, sorted. Their user may make them without end.
std::vector<std::string> list_children(const RootDir& dir, std::size_t max);

// Returns whether a cgroup, as /proc/PID/cgroup writes it ("/a/b"), is one of those or below one. Pure.
bool is_below(std::string_view cgroup, const std::vector<std::string>& transparent);

struct MarkResult {
    bool newly_marked = false;
    std::string problem;  // empty, or the reason why it could not be marked
};

// Writes 1 to the cgroup's memory.transparent unless it is 1. A cgroup that vanished is no problem.
MarkResult mark_transparent(const RootDir& root, const std::string& cgroup);

}  // namespace tmm::os
