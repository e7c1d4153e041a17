// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/protection/protection.hpp"

#include <algorithm>
#include <utility>

namespace tmm::core {

namespace {

// Share of memory that contributions may have together though nothing is free. With less than its code and stacks a contribution
// would crawl, and hold the locks that it has.
constexpr double min_contributions = 0.01;

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

// What a cgroup without children needs of its memory.
struct Need {
    Pages known{0};  // found
    Pages came{0};   // since then
};

Need need_of(const CgroupUsage& cgroup, const CgroupNeeds& needs) {
    const auto need = needs.find(cgroup.path);
    if (need == needs.end())
        return {.known = Pages(0), .came = cgroup.usage};
    const Pages known = std::min(need->second.pages, cgroup.usage);
    return {known, std::min(saturating_sub(cgroup.usage, need->second.usage), cgroup.usage - known)};
}

// Returns the share of the needs that protects so much memory. A cgroup whose need exceeds its usage has all of it protected by
// less than the need.
double share_that_protects(Pages wanted, std::vector<CgroupNeed> needs) {
    const auto enough = [](const CgroupNeed& need) { return ratio(need.usage, need.pages); };
    std::sort(needs.begin(), needs.end(), [&](const CgroupNeed& left, const CgroupNeed& right) {
        return std::pair(enough(left), left.pages) < std::pair(enough(right), right.pages);
    });
    Pages claims{0};
    for (const CgroupNeed& need : needs)
        claims += need.pages;
    for (const CgroupNeed& need : needs) {
        const double share = ratio(wanted, claims);
        if (share < enough(need))
            return std::min(share, 1.0);
        wanted = saturating_sub(wanted, need.usage);
        claims -= need.pages;
    }
    return 1;
}

// Divides the protection among cgroups without children.
class Division {
public:
    // wanted: the sum of all.
    Division(const std::vector<CgroupUsage>& top, const CgroupNeeds& needs, Pages wanted, Cover cover)
        : needs_(needs), cover_(cover) {
        if (cover_ == Cover::needs) {
            std::vector<CgroupNeed> claims;
            for_each_leaf(top, [&](const CgroupUsage& leaf) {
                const auto need = needs_.find(leaf.path);
                if (need != needs_.end() && need->second.pages > Pages(0))
                    claims.push_back({need->second.pages, leaf.usage});
            });
            of_known_ = share_that_protects(wanted, std::move(claims));
            return;
        }
        Need sum;
        for_each_leaf(top, [&](const CgroupUsage& leaf) {
            const Need need = need_of(leaf, needs_);
            sum.known += need.known;
            sum.came += need.came;
        });
        of_known_ = of_came_ = share_of(wanted, sum.known + sum.came);
        Pages given{0};
        Pages usage{0};
        for_each_leaf(top, [&](const CgroupUsage& leaf) {
            given += by_need(leaf);
            usage += leaf.usage;
        });
        of_rest_ = share_of(saturating_sub(wanted, given), usage - given);
    }

    // Returns the unprotected memory that can leave. Below a cgroup the kernel shares its protection out by usage, and files and
    // anonymous pages get the same share of it.
    [[nodiscard]] double able_to_leave(const std::vector<CgroupUsage>& top, Pages swap) const {
        double files = 0;
        double anonymous = 0;
        for_each_leaf(top, [&](const CgroupUsage& leaf) {
            const double unprotected = 1 - std::min(share_of(of(leaf), leaf.usage), 1.0);
            files += unprotected * leaf.file.as_double();
            anonymous += unprotected * leaf.anonymous.as_double();
        });
        return files + std::min(anonymous, swap.as_double());
    }

    [[nodiscard]] Pages of(const CgroupUsage& leaf) const {
        // Room for pages that will come back.
        if (cover_ == Cover::needs && needs_.contains(leaf.path))
            return part_of(needs_.at(leaf.path).pages, of_known_);
        const Pages given = by_need(leaf);
        return given + part_of(leaf.usage - given, of_rest_);
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
    static double share_of(Pages pages, Pages all) { return all > Pages(0) ? ratio(pages, all) : 0; }
    [[nodiscard]] Pages by_need(const CgroupUsage& leaf) const {
        const Need need = need_of(leaf, needs_);
        return std::min(part_of(need.known, of_known_) + part_of(need.came, of_came_), leaf.usage);
    }

    const CgroupNeeds& needs_;
    Cover cover_;
    double of_known_ = 0;
    double of_came_ = 0;
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

bool is_in(const std::string& cgroup, const std::string& top) {
    return cgroup.starts_with(top) && (cgroup.size() == top.size() || cgroup[top.size()] == '/');
}

// Makes contributions of the limited cgroups below others. Then no page counts twice.
void split(std::vector<ContributedPages>& contributed, const std::map<std::string, Pages>& anonymous_below) {
    std::vector<ContributedPages> below;
    for (const auto& [path, anonymous] : anonymous_below) {
        for (ContributedPages& one : contributed) {
            if (!is_in(path, one.path))
                continue;
            // The two were not read at the same time.
            const Pages part = std::min(anonymous, one.anonymous);
            one.anonymous -= part;
            below.push_back({.path = path, .anonymous = part});
        }
    }
    contributed.insert(contributed.end(), below.begin(), below.end());
}

// Contributions' memory that can leave.
struct Takable {
    Pages files{0};
    Pages anonymous{0};  // as far as there is swap for it
};

Takable takable(std::vector<ContributedPages> contributed, const SwapLeft& swap) {
    split(contributed, swap.anonymous_below);
    // From the deepest up, so that a limit counts only the pages that those below let pass: a parent's path sorts before its
    // children's.
    for (auto limited = swap.of_cgroups.rbegin(); limited != swap.of_cgroups.rend(); ++limited) {
        Pages left = limited->second;
        for (ContributedPages& one : contributed) {
            if (!is_in(one.path, limited->first))
                continue;
            one.anonymous = std::min(one.anonymous, left);
            left -= one.anonymous;
        }
    }
    Takable found;
    for (const ContributedPages& one : contributed) {
        found.files += one.file;
        found.anonymous += one.anonymous;
    }
    found.anonymous = std::min(found.anonymous, swap.free);
    return found;
}

Pages opaque_usage(const std::vector<CgroupUsage>& top) {
    Pages sum{0};
    for (const CgroupUsage& cgroup : top)
        sum += opaque_usage(cgroup);
    return sum;
}

Pages opaque_anonymous(const std::vector<CgroupUsage>& cgroups) {
    Pages sum{0};
    for (const CgroupUsage& cgroup : cgroups) {
        if (!cgroup.transparent)
            sum += cgroup.children.empty() ? cgroup.anonymous : opaque_anonymous(cgroup.children);
    }
    return sum;
}

}  // namespace

MustLeave must_leave(const MemoryUsage& usage, const std::vector<ContributedPages>& contributed, const SwapLeft& swap) {
    const Takable taken = takable(contributed, swap);
    const Pages elsewhere = free_pages(usage) + taken.files + taken.anonymous;
    return {saturating_sub(part_of(usage.total, min_reclaimable), elsewhere), swap.free - taken.anonymous};
}

Pages reclaimable_opaque(const MemoryUsage& usage, Pages opaque_limit, const std::vector<ContributedPages>& contributed,
                         const SwapLeft& swap) {
    const Pages excess = saturating_sub(usage.opaque, opaque_limit);
    return std::min(std::max(excess, must_leave(usage, contributed, swap).pages), usage.opaque);
}

std::optional<Pages> reclaimable_that_leaves(const std::vector<CgroupUsage>& top, Pages reclaimable, const MustLeave& wanted,
                                             Cover cover, const CgroupNeeds& needs) {
    if (opaque_anonymous(top) <= wanted.swap)
        return std::nullopt;
    const Pages opaque = opaque_usage(top);
    const auto able_to_leave = [&](Pages unprotected) {
        return Division(top, needs, saturating_sub(opaque, unprotected), cover).able_to_leave(top, wanted.swap);
    };
    // Less half a page, since sums of shares are not exact.
    const double target = std::min(wanted.pages.as_double(), able_to_leave(opaque)) - 0.5;
    if (able_to_leave(reclaimable) >= target)
        return reclaimable;
    // Halved ten times: a thousandth is near enough, and each look costs.
    Pages too_few = reclaimable;
    Pages enough = std::max(opaque, reclaimable);
    for (int i = 0; i < 10; ++i) {
        const Pages middle = too_few + (enough - too_few) / 2;
        (able_to_leave(middle) >= target ? enough : too_few) = middle;
    }
    return enough;
}

std::vector<CgroupProtection> protections(const std::vector<CgroupUsage>& top, Pages reclaimable, Cover cover,
                                          const CgroupNeeds& needs) {
    const Pages opaque = opaque_usage(top);
    const Division division(top, needs, saturating_sub(opaque, reclaimable), cover);
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
            below.push_back({child->first, part_of(child->second.pages, factor)});
    }
    return below;
}

bool worth_a_write(Pages in_force, Pages wanted, Bytes page_bytes) {
    constexpr Bytes min_change(1 << 20);
    constexpr Bytes min_growth(64 << 10);
    const Pages growth = saturating_sub(wanted, in_force);
    if (growth > Pages(0) && growth >= std::max(in_force, to_pages(min_growth, page_bytes)))
        return true;
    const Pages change = std::max(saturating_sub(in_force, wanted), growth);
    return change > Pages(0) && change >= std::max(std::max(in_force, wanted) / 64, to_pages(min_change, page_bytes));
}

std::vector<Pages> contribution_limits(const MemoryUsage& usage, Pages transparent_limit, Pages kept,
                                       const std::vector<Pages>& transparent) {
    Pages sum{0};
    for (const Pages pages : transparent)
        sum += pages;
    const Pages room =
        std::max({saturating_sub(free_pages(usage), kept), saturating_sub(part_of(usage.total, min_contributions), sum),
                  saturating_sub(transparent_limit, sum)});
    std::vector<Pages> limits;
    limits.reserve(transparent.size());
    for (const Pages pages : transparent)
        limits.push_back(pages + room);
    return limits;
}

}  // namespace tmm::core
