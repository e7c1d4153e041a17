// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/counts/generation_sorter.hpp"

#include <algorithm>

namespace tmm::os {

Result<void> GenerationSorter::sort(std::span<const core::CgroupId> cgroups) {
    auto lists = read_generations(*kernel_);
    if (!lists)
        return std::move(lists).error();
    add_cgroup_ids(*root_, *lists);
    for (const core::Generations& list : *lists) {
        if (list.id == core::unknown_cgroup || std::ranges::find(cgroups, list.id) == cgroups.end())
            continue;
        auto aged = kernel_->age(list.memcg, list.node, list.youngest());
        if (!aged)
            return aged;
    }
    return {};
}

}  // namespace tmm::os
