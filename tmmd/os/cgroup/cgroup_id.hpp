// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The number of a cgroup, as the policy knows cgroups. Stateless.
#pragma once

#include <string>

#include "base/root_dir.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

// Returns the inode number of a cgroup's directory; core::unknown_cgroup if it vanished, or without cgroup v2. cgroup: as the
// kernel shows it, such as "/user.slice".
core::CgroupId cgroup_id_of(const RootDir& root, const std::string& cgroup);

}  // namespace tmm::os
