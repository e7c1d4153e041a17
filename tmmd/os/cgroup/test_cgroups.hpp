// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Directories of cgroups below the root of a TempTree, for tests.
#pragma once

#include <string>

#include "tmmd/os/cgroup/transparent_cgroups.hpp"

namespace tmm::os {

inline const std::string top = std::string(cgroup_mount) + "/";
inline const std::string slice = top + "transparent.slice";

}  // namespace tmm::os
