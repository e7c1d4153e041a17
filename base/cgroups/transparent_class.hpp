// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads and sets the transparent class of a cgroup: its name or an extended attribute shows it. All below such a cgroup is
// transparent too.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm {

inline constexpr std::string_view transparent_slice = "transparent.slice";

// Returns whether a cgroup of that name has a user's whole desktop below it. No mark makes it transparent: its owner would wait
// for a frozen session. Pure.
bool is_whole_session(std::string_view name);

// Returns whether the directory has the extended attribute user.tmm.class=transparent.
bool has_transparent_attribute(const RootDir& cgroup);

// Sets this attribute. Error: the file system has no such attributes, or no permission.
Result<void> set_transparent_attribute(const RootDir& cgroup);

}  // namespace tmm
