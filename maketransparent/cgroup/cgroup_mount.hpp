// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The mount of cgroup v2, and the directory of a cgroup below it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm {

struct CgroupMount {
    std::string root;   // the cgroup that the mount shows, "/" for all of the caller's namespace
    std::string point;  // the directory of the mount

    // The directory of a cgroup. cgroup: a path as in /proc/PID/cgroup.
    [[nodiscard]] std::string dir_of(std::string_view cgroup) const;
};

// Parses /proc/PID/mountinfo. Pure.
// Returns the first mount of cgroup v2 that shows the whole namespace, or else the first mount of it.
// Error: ENOENT if there is none; the text names the remedy.
Result<CgroupMount> parse_mountinfo(std::string_view text);

// Reads the mounts of this process. root: "/". Errors: those of parse_mountinfo(), or /proc cannot be read.
Result<CgroupMount> find_cgroup_mount(const RootDir& root);

}  // namespace tmm
