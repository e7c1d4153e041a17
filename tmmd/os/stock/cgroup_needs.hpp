// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the cgroups whose programs need their memory, for core/protection. /proc/kpagecgroup tells the cgroup that a page is
// charged to. Stateless.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/protection/protection.hpp"
#include "tmmd/os/frame.hpp"

namespace tmm::os {

// Bounds the cgroups, which users may make without end. Those beyond count as if they needed all that they have.
inline constexpr std::size_t max_cgroups_with_needs = 4096;

// Returns the need of each cgroup with a memory controller, those of the cgroups below included. needed: sampled pages that
// programs need; those that were freed meanwhile do not count. It costs a read for each page, or for a few that are close. Error:
// no CAP_SYS_ADMIN, or a kernel without /proc/kpagecgroup.
Result<core::CgroupNeeds> read_cgroup_needs(const RootDir& root, std::vector<Frame> needed);

}  // namespace tmm::os
