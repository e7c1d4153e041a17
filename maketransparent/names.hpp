// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names of contributions, and how they become names of cgroups and scopes and back. All functions are pure.
//   povray -> cgroup "povray", "povray+2" when that is taken; scope "maketransparent-povray-4711.scope"
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tmm {

// A name that a person gave: 1 to 64 letters, digits, '.', '_' and '-', neither a leading '.' nor '-', and not digits alone (such
// a name could not be told from a process id). Error: EINVAL, says what is wrong.
Result<void> check_name(std::string_view name);

// A valid name made from a command ("/usr/bin/povray" gives "povray") or a process's short name. Never fails.
std::string name_from_command(std::string_view command);

// attempt counts from 1; a later one is asked for when the former is taken.
std::string cgroup_name(const std::string& name, int attempt);
std::string scope_name(const std::string& name, pid_t launcher, int attempt);

// The contribution's name, from the name of a cgroup that may be one of the above; any other name is returned as it is.
std::string contribution_name(std::string_view cgroup);

// Whether systemd manages the cgroup for somebody else: its processes must stay where they are.
bool is_foreign_unit(std::string_view cgroup);

// Whether a component of the path is transparent.slice, which makes all below it transparent.
bool in_transparent_slice(std::string_view path);

}  // namespace tmm
