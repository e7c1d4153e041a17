// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// How a cgroup shows that it is transparent: by its name, or by an extended attribute. All below it is transparent too.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm {

inline constexpr std::string_view transparent_slice = "transparent.slice";

// Whether the directory has the extended attribute user.tmm.class=transparent.
bool has_transparent_attribute(const RootDir& cgroup);

// Sets it. Error: the file system has no such attributes, or no permission.
Result<void> set_transparent_attribute(const RootDir& cgroup);

}  // namespace tmm
