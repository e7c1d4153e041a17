// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names of contributions: which ones people may give, and what the name of a cgroup says. All functions are pure.
#pragma once

#include <string>
#include <string_view>

#include "base/contribution_name.hpp"
#include "base/result.hpp"

namespace tmm {

// A name that a person gave: 1 to 64 letters, digits, '.', '_' and '-', neither a leading '.' nor '-', and not digits alone (such
// a name could not be told from a process id). Error: EINVAL, says what is wrong.
Result<void> check_name(std::string_view name);

// A valid name made from a command ("/usr/bin/povray" gives "povray") or a process's short name. Never fails.
std::string name_from_command(std::string_view command);

// Whether systemd manages the cgroup for somebody else: its processes must stay where they are.
bool is_foreign_unit(std::string_view cgroup);

// Whether a component of the path is transparent.slice, which makes all below it transparent.
bool in_transparent_slice(std::string_view path);

}  // namespace tmm
