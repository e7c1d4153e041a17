// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists the owner's processes with their cgroups. Stateless.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::os {

// Bounds the processes of a user, who may start them without end; root has twice as many. The memory of those beyond counts as
// unknown.
inline constexpr std::size_t max_processes = 2048;

struct OpaqueProcess {
    std::string number;
    std::string cgroup;  // as the kernel shows it, such as "/user.slice"; empty without cgroup v2
    uid_t user;          // whose cgroup that is, as user_of() says
};

struct OpaqueProcesses {
    std::vector<OpaqueProcess> list;  // the oldest numbers first
    std::set<uid_t> left_out;         // users with more
};

// Leaves out those that have ended meanwhile, and those that cannot be read. transparent_cgroups: the topmost. Error: of /proc,
// or of a process if none can be read.
Result<OpaqueProcesses> opaque_processes(const RootDir& root, const std::vector<std::string>& transparent_cgroups,
                                         std::size_t max_per_user = max_processes);

// Called before each look at a process that may wait for it. Returns whether the look may begin.
using MayLook = std::function<bool(const OpaqueProcess&)>;

// Returns whether an error of a file of a process means that it has ended.
bool has_ended(int code);

// Returns whether it means that this process may not look at it.
bool is_refusal(int code);

}  // namespace tmm::os
