// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/ages/arrivals.hpp"

#include <algorithm>

namespace tmm::core {

void Arrivals::add_new(const SampledPage& page) {
    cgroups_[page.cgroup].appeared[static_cast<std::size_t>(page.backing)] += page.weight;
}

void Arrivals::add_returned(const ByBacking& pages) {
    for (std::size_t backing = 0; backing < nr_backings; ++backing)
        returned_[backing] += pages[backing];
}

void Arrivals::add_returned(CgroupId cgroup, Backing backing, double pages) {
    cgroups_[cgroup].returned[static_cast<std::size_t>(backing)] += pages;
}

void Arrivals::find_returned() {
    const auto are_returned = [](double returned, double appeared) { return returned > 0 && 2 * returned >= appeared; };
    for (std::size_t backing = 0; backing < nr_backings; ++backing) {
        double returned = returned_[backing];
        double appeared = 0;
        for (auto& [id, cgroup] : cgroups_) {
            cgroup.are_returned[backing] = are_returned(cgroup.returned[backing], cgroup.appeared[backing]);
            if (cgroup.are_returned[backing])
                returned -= std::min(cgroup.returned[backing], cgroup.appeared[backing]);
            else
                appeared += cgroup.appeared[backing];
        }
        if (!are_returned(returned, appeared))
            continue;
        for (auto& [id, cgroup] : cgroups_)
            cgroup.are_returned[backing] = true;
    }
}

bool Arrivals::are_returned(const SampledPage& page) const {
    const auto cgroup = cgroups_.find(page.cgroup);
    return cgroup != cgroups_.end() && cgroup->second.are_returned[static_cast<std::size_t>(page.backing)];
}

}  // namespace tmm::core
