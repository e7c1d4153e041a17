// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the cgroups whose programs need their memory, for core/protection, by the inode numbers of their directories. Stateless.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <set>
#include <span>

#include "base/root_dir.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/core/protection/protection.hpp"

namespace tmm::os {

// Bounds the cgroups of a user, who may make them without end; root has four times as many. Those beyond need nothing, so that
// nobody gets more by making many.
inline constexpr std::size_t max_cgroups_with_needs = 1024;

struct FoundNeeds {
    core::CgroupNeeds needs;     // of each cgroup with a memory controller, those of the cgroups below included
    std::set<uid_t> left_out{};  // users with more cgroups than the bound
};

// kept: what the policy keeps; a cgroup that was removed counts for none.
FoundNeeds read_cgroup_needs(const RootDir& root, std::span<const core::CgroupKeeps> kept,
                             std::size_t max_per_user = max_cgroups_with_needs);

}  // namespace tmm::os
