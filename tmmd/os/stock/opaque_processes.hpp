// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists the owner's processes with their cgroups. Stateless.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::os {

// Bounds the processes, which users may start without end. The memory of those beyond counts as unknown.
inline constexpr std::size_t max_processes = 4096;

struct OpaqueProcess {
    std::string number;
    std::string cgroup;  // as the kernel shows it, such as "/user.slice"; empty without cgroup v2
};

// Leaves out those that have ended meanwhile. transparent_cgroups: the topmost. Error: of /proc, or of a file of a process.
Result<std::vector<OpaqueProcess>> opaque_processes(const RootDir& root, const std::vector<std::string>& transparent_cgroups);

// Returns whether an error of a file of a process means that it has ended.
bool has_ended(int code);

// Returns whether it means that this process may not look at it.
bool is_refusal(int code);

}  // namespace tmm::os
