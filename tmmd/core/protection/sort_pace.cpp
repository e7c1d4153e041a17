// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/protection/sort_pace.hpp"

#include <algorithm>
#include <utility>

namespace tmm::core {

std::vector<CgroupId> SortPace::take_due(std::span<const CgroupKeeps> kept, Seconds attended) {
    now_ += attended;
    std::vector<CgroupId> due;
    std::map<CgroupId, Seconds> sorted_at;
    for (const CgroupKeeps& one : kept) {
        if (one.cgroup == unknown_cgroup)
            continue;
        const auto last = sorted_at_.find(one.cgroup);
        const bool is_due = last == sorted_at_.end() || now_ - last->second >= std::max(one.age / 2, min_period);
        if (is_due)
            due.push_back(one.cgroup);
        sorted_at.emplace(one.cgroup, is_due ? now_ : last->second);
    }
    // Without the cgroups that have ended or keep nothing.
    sorted_at_ = std::move(sorted_at);
    return due;
}

}  // namespace tmm::core
