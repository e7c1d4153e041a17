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
    const auto swap = fence_.swap();
    if (!swap)
        return swap.error();
    // Without contributions, and while none may have memory, there is nobody to protect from. While something is given, one may
    // start at any time, and grow for a second before the next look.
    if (now->transparent > core::Pages(0) || limits_->transparent > core::Pages(0)) {
        const auto opaque_limit = limits_->evicting_frees ? std::optional(limits_->opaque) : std::nullopt;
        auto is_protected = protector_.protect(*now, opaque_limit, core::Cover::all, contributed, knobs_);
        if (!is_protected)
            return is_protected;
    }
    fence_.collect(*now, contributed, *limits_, *swap, knobs_);
    return knobs_.apply();
}

}  // namespace tmm::os
