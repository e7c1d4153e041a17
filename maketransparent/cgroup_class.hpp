// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The class of a cgroup. Transparent is: named transparent.slice or below one, or marked, or below one that is marked.
// A mark is the extended attribute user.tmm.class=transparent, and on the patched kernel 1 in memory.transparent.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "maketransparent/cgroup_mount.hpp"

namespace tmm {

// Of this one cgroup, whatever is above it.
bool has_mark(const RootDir& cgroup);

// Error: where neither mark can be set.
Result<void> set_mark(const RootDir& cgroup);

// Writes memory.transparent where the kernel and the permissions allow it; else tmmd will. Returns whether it did.
bool set_kernel_mark(const RootDir& cgroup);

// cgroup: as in /proc/PID/cgroup. A cgroup that has vanished is not transparent.
bool is_transparent(const RootDir& root, const CgroupMount& mount, const std::string& cgroup);

bool has_memory_controller(const RootDir& cgroup);

// The text of the warning that the kernel does not count this cgroup's memory by itself.
std::string no_memory_warning(const RootDir& cgroup);

}  // namespace tmm
