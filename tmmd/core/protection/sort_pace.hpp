// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SortPace: tells when the kernel is to sort the pages of a cgroup by their last use. By itself it does so only while it
// reclaims. If memory is full and nobody wants more, a page that was used hours ago looks to it like one that was just used, and
// the pages that a protected cgroup loses are any of its pages. Not from the papers. Not thread-safe.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

class SortPace {
public:
    // The multi-gen LRU then tells apart pages used since it sorted last, in the period before, and earlier. So the period is
    // half the age of the oldest page that is to stay, but at least this; attended time. Sorting walks all page tables of the
    // cgroup.
    static constexpr Seconds min_period = std::chrono::minutes(5);

    // Returns the cgroups to sort now, each cgroup for the first time at once. kept: as the policy keeps them. attended: time
    // since the last call, in which somebody was there.
    std::vector<CgroupId> take_due(std::span<const CgroupKeeps> kept, Seconds attended);

private:
    Seconds now_{0};  // attended time
    std::map<CgroupId, Seconds> sorted_at_;
};

}  // namespace tmm::core
