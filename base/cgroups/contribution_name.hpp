// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Converts the name of a contribution to the name of a cgroup or a scope, and back. All functions are pure.
//   povray -> cgroup "povray", "povray+2" when that is taken; scope "maketransparent-povray-4711.scope"
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace tmm {

// Return the name of a cgroup and of a scope. attempt: counts from 1; each next one is for use when the previous name is taken.
// launcher: a process ID, for a unique name.
std::string cgroup_name(const std::string& name, int attempt);
std::string scope_name(const std::string& name, pid_t launcher, int attempt);

// Returns whether maketransparent(1) gave this name to a scope.
bool is_contribution_scope(std::string_view cgroup);

// Returns the contribution's name, from the name of its cgroup or scope; any other name is returned as it is.
std::string contribution_name(std::string_view cgroup);

}  // namespace tmm
