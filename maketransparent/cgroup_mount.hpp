// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where cgroup v2 is mounted, and the directory of a cgroup below it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm {

struct CgroupMount {
    std::string root;   // the cgroup that the mount shows, "/" for all of the caller's namespace
    std::string point;  // where

    // The directory of a cgroup named as /proc/PID/cgroup does.
    [[nodiscard]] std::string dir_of(std::string_view cgroup) const;
};

// Pure: of /proc/PID/mountinfo. The first mount that shows all, else the first. Error: ENOENT where cgroup v2 is not mounted.
Result<CgroupMount> parse_mountinfo(std::string_view text);

// root: "/". The error says what to do.
Result<CgroupMount> find_cgroup_mount(const RootDir& root);

}  // namespace tmm
