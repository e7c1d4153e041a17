// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of --list, and which processes the words after --release mean. All functions are pure.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "maketransparent/placement.hpp"

namespace tmm {

// A header and a line for each contribution: NAME MEMORY PIDS CGROUP, in columns.
std::string format_list(const std::vector<Contribution>& contributions);

// target: a name (every contribution of it) or a process id (that process only). Error: ENOENT for neither; EPERM for a unit that
// systemd keeps for somebody else.
Result<std::vector<pid_t>> find_target(const std::vector<Contribution>& contributions, const std::string& target);

}  // namespace tmm
