// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the usage of the cgroups that core/protection needs: all directly below the mount point, and all neighbours on the way to
// a contribution. Stateless.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/protection/protection.hpp"

namespace tmm::os {

// Bound the neighbours of all contributions of a user, who may make them without end, and their paths; root has eight times as
// much. A cgroup whose children exceed that counts as a whole, with the contributions in it.
inline constexpr std::size_t max_neighbours = 512;
inline constexpr std::size_t max_path_bytes = 128 << 10;

// Returns the cgroups directly below the mount point, as paths below the root directory. It leaves out cgroups that vanish
// meanwhile or have no memory controller. transparent_cgroups: the topmost, sorted. Error: no cgroup v2 with a memory controller.
Result<std::vector<core::CgroupUsage>> read_cgroup_usages(const RootDir& root,
                                                          const std::vector<std::string>& transparent_cgroups);

// Fills in the file and anonymous pages of each opaque cgroup without children. Those of a cgroup that vanished stay 0.
void read_lists(const RootDir& root, std::vector<core::CgroupUsage>& cgroups);

}  // namespace tmm::os
