// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names of contributions: checks the ones that a user gives, and interprets the names of cgroups. All functions are pure.
#pragma once

#include <string>
#include <string_view>

#include "base/cgroups/contribution_name.hpp"
#include "base/result.hpp"

namespace tmm {

// Checks a name that a user gave: 1 to 64 letters, digits, '.', '_' and '-', with no leading '.' or '-'.
// Digits alone are refused, because --release would take them for a process id. Error: EINVAL; the text explains.
Result<void> check_name(std::string_view name);

// Makes a valid name from a command ("/usr/bin/povray" gives "povray") or a process's short name. Never fails.
std::string name_from_command(std::string_view command);

// Whether systemd manages the cgroup for somebody else. Its processes must stay there.
// cgroup: the last component of a path.
bool is_foreign_unit(std::string_view cgroup);

// Whether a component of the path is transparent.slice, which makes all below it transparent.
bool in_transparent_slice(std::string_view path);

}  // namespace tmm
