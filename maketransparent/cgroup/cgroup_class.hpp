// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The class of a cgroup. A cgroup is transparent if it, or one above it, is named transparent.slice or bears a mark.
// A mark is the extended attribute user.tmm.class=transparent, or 1 in memory.transparent of the patched kernel.
// All functions read or write the files of one cgroup and share no state.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "maketransparent/cgroup/cgroup_mount.hpp"

namespace tmm {

// Whether this cgroup bears a mark of its own, whatever is above it.
bool has_mark(const RootDir& cgroup);

// Sets both marks as far as possible. One of them suffices; so does a name that makes the cgroup transparent.
// Error: that of the attribute, if the cgroup would not be transparent.
Result<void> set_mark(const RootDir& cgroup);

// Writes 1 to memory.transparent. tmmd does so later where the permissions do not allow it.
// Returns false if the kernel has no such file or refuses.
bool set_kernel_mark(const RootDir& cgroup);

// Whether a cgroup is transparent, by itself or by inheritance.
// cgroup: a path as in /proc/PID/cgroup. A cgroup that has vanished is not transparent.
bool is_transparent(const RootDir& root, const CgroupMount& mount, const std::string& cgroup);

// Whether cgroup.controllers lists memory. False if the file cannot be read.
bool has_memory_controller(const RootDir& cgroup);

// The warning that the kernel does not count the memory of this cgroup separately, and its remedy.
std::string no_memory_warning(const RootDir& cgroup);

}  // namespace tmm
