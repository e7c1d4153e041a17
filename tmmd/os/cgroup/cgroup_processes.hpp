// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists the processes of a cgroup and of those below it. Stateless.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <vector>

#include "base/root_dir.hpp"

namespace tmm::os {

// Returns at most max_processes processes of at most max_cgroups cgroups, in no order. Cgroups that vanish meanwhile count for
// none; so does one whose own processes are more than max_processes.
std::vector<pid_t> processes_below(const RootDir& cgroup, std::size_t max_processes, std::size_t max_cgroups);

}  // namespace tmm::os
