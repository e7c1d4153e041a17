// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/stock/cgroup_limits.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/core/protection/protection.hpp"
#include "tmmd/os/cgroup/contribution.hpp"
#include "tmmd/os/counters/backing_latency.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/os/protection/contributed_memory.hpp"

namespace tmm::os {

namespace {

constexpr std::array<std::string_view, 5> lru_lists{"active_anon", "inactive_anon", "active_file", "inactive_file",
                                                    "unevictable"};

}  // namespace

Result<CgroupLimits> CgroupLimits::open(const RootDir& root) {
    auto protector = CgroupProtector::open(root);
    if (!protector)
        return std::move(protector).error();
    return CgroupLimits(root, *std::move(protector));
}

Result<CgroupLimits::Swap> CgroupLimits::swap() const {
    const auto areas = read_swap_areas(*root_);
    if (!areas)
        return areas.error();
    if (areas->empty())
        return Swap::none;
    // A page goes to zram first where both are there, by the usual priorities.
    const bool in_memory = std::any_of(areas->begin(), areas->end(), [](const SwapArea& area) {
        return !area.is_file && area.path.substr(area.path.rfind('/') + 1).starts_with("zram");
    });
    return in_memory ? Swap::memory : Swap::disk;
}

// Returns 0 for a cgroup that has vanished or has no memory controller.
core::Pages CgroupLimits::charged_pages(const std::string& cgroup) const {
    const auto text = root_->read_file(cgroup + "/memory.current");
    const auto bytes = text ? parse_uint(trim(*text)) : Result<std::uint64_t>(text.error());
    return bytes ? core::to_pages(Bytes(*bytes), page_bytes()) : core::Pages(0);
}

Result<core::MemoryUsage> CgroupLimits::usage() {
    return usage_with(read_contributed(*root_, transparent_cgroups_));
}

Result<core::MemoryUsage> CgroupLimits::usage_with(const std::vector<core::ContributedPages>& contributed) const {
    const auto text = root_->read_file("proc/vmstat");
    if (!text)
        return text.error();
    core::Pages used{0};
    for (const std::string_view list : lru_lists) {
        auto pages = parse_stat(*text, "nr_" + std::string(list));
        if (!pages)
            return std::move(pages).error().with_context(root_->name_of("proc/vmstat"));
        used += core::Pages(*pages);
    }
    auto free = parse_stat(*text, "nr_free_pages");
    if (!free)
        return std::move(free).error().with_context(root_->name_of("proc/vmstat"));
    core::MemoryUsage usage{.total = used + core::Pages(*free)};
    for (const core::ContributedPages& one : contributed)
        usage.transparent += one.all();
    usage.opaque = saturating_sub(used, usage.transparent);
    return usage;
}

void CgroupLimits::fence(const core::MemoryUsage& usage, const std::vector<core::ContributedPages>& contributed,
                         core::Pages transparent_limit, Swap swap) {
    std::vector<core::Pages> transparent;
    transparent.reserve(contributed.size());
    for (const core::ContributedPages& one : contributed)
        transparent.push_back(one.all());
    const std::vector<core::Pages> limits = core::contribution_limits(usage, transparent_limit, transparent);
    for (std::size_t i = 0; i < limits.size(); ++i) {
        const std::string& cgroup = contributed[i].path;
        // Contributions that may have nothing leave memory by this swap alone.
        if (swap == Swap::memory && transparent_limit > core::Pages(0))
            knobs_.set_at_most(cgroup + "/memory.swap.max", transparent_limit);
        // These limits count page tables, stacks and the kernel's objects, too. A memory.max below the usage kills.
        const core::Pages unlisted = saturating_sub(charged_pages(cgroup), transparent[i]);
        knobs_.set_at_most(cgroup + (swap == Swap::none ? "/memory.max" : "/memory.high"), limits[i] + unlisted);
    }
    if (swap != Swap::none)
        return;
    // Not of the slice: the kernel takes the highest cgroup up to the one with the limit, and would kill all contributions.
    for (const FoundContribution& one : find_contributions(*root_, transparent_cgroups_, max_set_per_user))
        knobs_.set_on(one.cgroup + "/memory.oom.group");
}

Result<void> CgroupLimits::follow(const std::vector<std::string>& transparent_cgroups) {
    transparent_cgroups_ = transparent_cgroups;
    return enforce();
}

Result<void> CgroupLimits::write(const Limits& limits) {
    limits_ = limits;
    return enforce();
}

Result<void> CgroupLimits::protect_first(const std::vector<core::CgroupKeeps>& kept) {
    protector_.learn_needs(kept);
    return enforce();
}

Result<void> CgroupLimits::enforce() {
    if (!limits_)
        return {};
    auto begun = knobs_.begin();
    if (!begun)
        return begun;
    const std::vector<core::ContributedPages> contributed = read_contributed(*root_, transparent_cgroups_);
    const auto now = usage_with(contributed);
    if (!now)
        return now.error();
    const auto kind = swap();
    if (!kind)
        return kind.error();
    auto is_protected = protector_.protect(*now, limits_->opaque, core::Cover::all, contributed, knobs_);
    if (!is_protected)
        return is_protected;
    fence(*now, contributed, limits_->transparent, *kind);
    return knobs_.apply();
}

}  // namespace tmm::os
