// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// How the name of a contribution becomes the name of a cgroup or of a scope, and back. All functions are pure.
//   povray -> cgroup "povray", "povray+2" when that is taken; scope "maketransparent-povray-4711.scope"
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace tmm {

// attempt counts from 1; a later one is asked for when the former is taken.
std::string cgroup_name(const std::string& name, int attempt);
std::string scope_name(const std::string& name, pid_t launcher, int attempt);

// Whether maketransparent(1) named it so.
bool is_contribution_scope(std::string_view cgroup);

// The contribution's name, from the name of a cgroup that may be one of the above; any other name is returned as it is.
std::string contribution_name(std::string_view cgroup);

}  // namespace tmm
