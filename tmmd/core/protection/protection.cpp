// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/protection/protection.hpp"

#include <algorithm>
#include <cmath>

namespace tmm::core {

namespace {

// Share of memory that contributions leave free, so that their growth does not make the owner's programs reclaim.
constexpr double kept_free = 0.02;

Pages share(double fraction, Pages pages) {
    return Pages(std::llround(fraction * pages.as_double()));
}

Pages free_pages(const MemoryUsage& usage) {
    return saturating_sub(usage.total, usage.opaque + usage.transparent);
}

Pages opaque_usage(const CgroupUsage& cgroup) {
    if (cgroup.transparent)
        return Pages(0);
    if (cgroup.children.empty())
        return cgroup.usage;
    Pages sum{0};
    for (const CgroupUsage& child : cgroup.children)
        sum += opaque_usage(child);
    return sum;
}

// Appends the protections of cgroup and all below; protected_share of their opaque usage. Returns that of cgroup.
Pages protect(const CgroupUsage& cgroup, double protected_share, std::vector<CgroupProtection>& protections) {
    if (cgroup.transparent)
        return Pages(0);
    const std::size_t place = protections.size();
    protections.push_back({cgroup.path, share(protected_share, cgroup.usage)});
    if (!cgroup.children.empty()) {
        Pages sum{0};
        for (const CgroupUsage& child : cgroup.children)
            sum += protect(child, protected_share, protections);
        protections[place].pages = sum;
    }
    return protections[place].pages;
}

}  // namespace

Pages reclaimable_opaque(const MemoryUsage& usage, Pages opaque_limit) {
    const Pages elsewhere = usage.transparent + free_pages(usage);
    const Pages excess = saturating_sub(usage.opaque, opaque_limit);
    return std::min(usage.opaque, std::max(excess, saturating_sub(share(min_reclaimable, usage.total), elsewhere)));
}

std::vector<CgroupProtection> protections(const std::vector<CgroupUsage>& top, Pages reclaimable) {
    Pages opaque{0};
    for (const CgroupUsage& cgroup : top)
        opaque += opaque_usage(cgroup);
    const double protected_share = opaque > reclaimable ? 1 - ratio(reclaimable, opaque) : 0;
    std::vector<CgroupProtection> protections;
    for (const CgroupUsage& cgroup : top)
        protect(cgroup, protected_share, protections);
    return protections;
}

bool worth_a_write(Pages in_force, Pages wanted, Bytes page_bytes) {
    constexpr Bytes min_change(1 << 20);
    const Pages change = std::max(saturating_sub(in_force, wanted), saturating_sub(wanted, in_force));
    return change > Pages(0) && change >= std::max(std::max(in_force, wanted) / 64, to_pages(min_change, page_bytes));
}

std::vector<Pages> contribution_limits(const MemoryUsage& usage, Pages transparent_limit, const std::vector<Pages>& transparent) {
    Pages sum{0};
    for (const Pages pages : transparent)
        sum += pages;
    const Pages room = std::max(saturating_sub(free_pages(usage), share(kept_free, usage.total)),  //
                                saturating_sub(transparent_limit, sum));
    std::vector<Pages> limits;
    limits.reserve(transparent.size());
    for (const Pages pages : transparent)
        limits.push_back(pages + room);
    return limits;
}

}  // namespace tmm::core
