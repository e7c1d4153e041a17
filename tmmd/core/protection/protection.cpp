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

Pages need_of(const CgroupUsage& cgroup, const CgroupNeeds& needs) {
    const auto need = needs.find(cgroup.path);
    if (need == needs.end())
        return cgroup.usage;
    return std::min(need->second.pages + saturating_sub(cgroup.usage, need->second.usage), cgroup.usage);
}

// Divides the protection among cgroups without children.
class Division {
public:
    // wanted: the sum of all.
    Division(const std::vector<CgroupUsage>& top, const CgroupNeeds& needs, Pages wanted) : needs_(needs) {
        Pages need{0};
        for_each_leaf(top, [&](const CgroupUsage& leaf) { need += need_of(leaf, needs_); });
        of_need_ = need > Pages(0) ? ratio(wanted, need) : 0;
        Pages given{0};
        Pages usage{0};
        for_each_leaf(top, [&](const CgroupUsage& leaf) {
            given += by_need(leaf);
            usage += leaf.usage;
        });
        of_rest_ = usage > given && wanted > given ? ratio(wanted - given, usage - given) : 0;
    }

    [[nodiscard]] Pages of(const CgroupUsage& leaf) const {
        const Pages given = by_need(leaf);
        return given + share(of_rest_, leaf.usage - given);
    }

private:
    template <typename Function>
    static void for_each_leaf(const std::vector<CgroupUsage>& cgroups, const Function& function) {
        for (const CgroupUsage& cgroup : cgroups) {
            if (cgroup.transparent)
                continue;
            if (cgroup.children.empty())
                function(cgroup);
            else
                for_each_leaf(cgroup.children, function);
        }
    }
    [[nodiscard]] Pages by_need(const CgroupUsage& leaf) const {
        return std::min(share(of_need_, need_of(leaf, needs_)), leaf.usage);
    }

    const CgroupNeeds& needs_;
    double of_need_ = 0;
    double of_rest_ = 0;
};

// Appends the protections of cgroup and all below. Returns that of cgroup.
Pages protect(const CgroupUsage& cgroup, const Division& division, std::vector<CgroupProtection>& protections) {
    if (cgroup.transparent)
        return Pages(0);
    const std::size_t place = protections.size();
    protections.push_back({cgroup.path, Pages(0)});
    Pages sum{0};
    for (const CgroupUsage& child : cgroup.children)
        sum += protect(child, division, protections);
    protections[place].pages = cgroup.children.empty() ? division.of(cgroup) : sum;
    return protections[place].pages;
}

}  // namespace

Pages reclaimable_opaque(const MemoryUsage& usage, Pages opaque_limit) {
    const Pages elsewhere = usage.transparent + free_pages(usage);
    const Pages excess = saturating_sub(usage.opaque, opaque_limit);
    // Neither is more than there is: all memory is opaque or elsewhere.
    return std::max(excess, saturating_sub(share(min_reclaimable, usage.total), elsewhere));
}

std::vector<CgroupProtection> protections(const std::vector<CgroupUsage>& top, Pages reclaimable, const CgroupNeeds& needs) {
    Pages opaque{0};
    for (const CgroupUsage& cgroup : top)
        opaque += opaque_usage(cgroup);
    const Division division(top, needs, saturating_sub(opaque, reclaimable));
    std::vector<CgroupProtection> protections;
    for (const CgroupUsage& cgroup : top)
        protect(cgroup, division, protections);
    return protections;
}

std::vector<CgroupProtection> protections_below(const std::vector<CgroupProtection>& found, const CgroupNeeds& needs) {
    std::vector<CgroupProtection> below;
    for (const CgroupProtection& parent : found) {
        const auto need = needs.find(parent.path);
        const bool has_children = std::any_of(
            found.begin(), found.end(), [&](const CgroupProtection& other) { return other.path.starts_with(parent.path + "/"); });
        if (need == needs.end() || need->second.pages == Pages(0) || has_children)
            continue;
        const double factor = std::max(1.0, ratio(parent.pages, need->second.pages));
        const std::string prefix = parent.path + "/";
        for (auto child = needs.lower_bound(prefix); child != needs.end() && child->first.starts_with(prefix); ++child)
            below.push_back({child->first, share(factor, child->second.pages)});
    }
    return below;
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
