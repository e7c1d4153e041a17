// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the cgroups whose programs need their memory, for core/protection, by the inode numbers of their directories. Stateless.
#pragma once

#include <cstddef>
#include <span>

#include "base/root_dir.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/core/protection/protection.hpp"

namespace tmm::os {

// Bounds the cgroups, which users may make without end. Those beyond count as if they needed all that they have: they have no
// need of their own, and those above have it.
inline constexpr std::size_t max_cgroups_with_needs = 4096;

// Returns the need of each cgroup with a memory controller, those of the cgroups below included. kept: what the policy keeps; a
// cgroup that was removed counts for none. max_cgroups: above 0.
core::CgroupNeeds read_cgroup_needs(const RootDir& root, std::span<const core::CgroupKeeps> kept,
                                    std::size_t max_cgroups = max_cgroups_with_needs);

}  // namespace tmm::os
