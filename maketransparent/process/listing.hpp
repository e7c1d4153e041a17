// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of --list, and the processes that an operand of --release means. All functions are pure.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "maketransparent/placement.hpp"

namespace tmm {

// Formats a header and a line for each contribution, in columns: NAME MEMORY PIDS CGROUP.
std::string format_list(const std::vector<Contribution>& contributions);

// Finds the processes to release.
// target: a name, for every contribution of that name, or a process id, for that process only.
// Errors: ENOENT if it is neither; EPERM for a unit that systemd runs for somebody else.
Result<std::vector<pid_t>> find_target(const std::vector<Contribution>& contributions, const std::string& target);

}  // namespace tmm
