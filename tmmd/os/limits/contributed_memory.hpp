// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the memory of contributions, and the swap that it may leave to, for core/protection. Stateless.
#pragma once

#include <string>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/core/protection/protection.hpp"

namespace tmm::os {

// Returns the pages of each cgroup, in the same order; none for one that has vanished or has no memory controller. A kernel sums
// up many counters for each reading, so a round reads once.
std::vector<core::ContributedPages> read_contributed(const RootDir& root, const std::vector<std::string>& transparent_cgroups);

// Returns the swapped pages of all of them, as far as they are known.
core::Pages read_contributed_swap(const RootDir& root, const std::vector<std::string>& transparent_cgroups);

// Returns free swap, and what memory.swap.max of these cgroups, of all above and of the contributions below still permits,
// whoever set it. A kernel that tells of no swap has none.
core::SwapLeft read_swap_left(const RootDir& root, const std::vector<std::string>& transparent_cgroups);

}  // namespace tmm::os
