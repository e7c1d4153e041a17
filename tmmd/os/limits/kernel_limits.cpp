// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/limits/kernel_limits.hpp"

#include <array>
#include <string_view>

#include "base/text/proc_text.hpp"
#include "tmmd/os/limits/contributed_memory.hpp"

namespace tmm::os {

namespace {

constexpr std::array<std::string_view, 5> lru_lists{"active_anon", "inactive_anon", "active_file", "inactive_file",
                                                    "unevictable"};

// The usage on a kernel that knows no classes.
Result<core::MemoryUsage> usage_of_lists(const RootDir& root, const std::vector<core::ContributedPages>& contributed) {
    const auto text = root.read_file("proc/vmstat");
    if (!text)
        return text.error();
    core::Pages used{0};
    for (const std::string_view list : lru_lists) {
        auto pages = parse_stat(*text, "nr_" + std::string(list));
        if (!pages)
            return std::move(pages).error().with_context(root.name_of("proc/vmstat"));
        used += core::Pages(*pages);
    }
    auto free = parse_stat(*text, "nr_free_pages");
    if (!free)
        return std::move(free).error().with_context(root.name_of("proc/vmstat"));
    core::MemoryUsage usage{.total = used + core::Pages(*free)};
    for (const core::ContributedPages& one : contributed)
        usage.transparent += one.all();
    usage.opaque = saturating_sub(used, usage.transparent);
    return usage;
}

}  // namespace

Result<KernelLimits> KernelLimits::open_classes(const RootDir& root) {
    auto classes = SysfsLimits::open(root);
    if (!classes)
        return std::move(classes).error();
    auto protector = CgroupProtector::open(root);
    return KernelLimits(root, *std::move(classes), protector ? std::optional(*std::move(protector)) : std::nullopt);
}

Result<KernelLimits> KernelLimits::open_cgroups(const RootDir& root) {
    auto protector = CgroupProtector::open(root);
    if (!protector)
        return std::move(protector).error();
    return KernelLimits(root, std::nullopt, *std::move(protector));
}

Result<core::MemoryUsage> KernelLimits::usage(const std::vector<std::string>& transparent_cgroups) {
    return classes_ ? classes_->usage() : usage_of_lists(*root_, read_contributed(*root_, transparent_cgroups));
}

std::string KernelLimits::problem() const {
    for (const std::string& problem : {not_held_, knobs_.problem(), protector_ ? protector_->problem() : ""}) {
        if (!problem.empty())
            return problem;
    }
    return "";
}

bool KernelLimits::learn_needs(const core::Wanted& wanted) {
    if (!protector_ || !wanted.keeps || wanted.keeps->since == keeps_since_)
        return false;
    keeps_since_ = wanted.keeps->since;
    protector_->learn_needs(wanted.keeps->by_cgroup);
    return true;
}

Result<void> KernelLimits::apply(const core::Wanted& wanted, const std::vector<std::string>& transparent_cgroups) {
    const Limits limits = limits_of(wanted.given);
    const bool new_needs = learn_needs(wanted);
    const bool new_limits = limits_ != limits;
    // Needs come first: if limits fall before, the kernel takes what is needed from under older protections.
    auto set = set_cgroups(limits, transparent_cgroups, new_needs || new_limits);
    if (!classes_) {
        limits_ = limits;
        return set;
    }
    // Classes protect opaque memory all the same.
    not_held_ = set ? "" : set.error().message() + "; the owner's cgroups keep the protection that they had";
    if (!new_limits)
        return {};
    auto written = classes_->write(limits);
    if (written)
        limits_ = limits;
    return written;
}

Result<void> KernelLimits::set_cgroups(const Limits& limits, const std::vector<std::string>& transparent_cgroups, bool changed) {
    const auto swap = fence_.swap();
    if (!swap && !classes_)
        return swap.error();
    const bool in_memory = swap && *swap == ContributionFence::Swap::memory;
    const bool protects = protector_ && (!classes_ || protector_->knows_needs());
    const bool fences = !classes_ || (protector_ && in_memory && !transparent_cgroups.empty());
    // Within the limits the classes protect opaque memory, so nothing but a fence has to follow its usage.
    if ((classes_ && !fences && !changed) || (!protects && !fences && !knobs_.holds_any()))
        return {};
    auto begun = knobs_.begin();
    if (!begun)
        return begun;
    if (!protects && !fences)
        return knobs_.apply();  // gives all of them back
    const std::vector<core::ContributedPages> contributed = read_contributed(*root_, transparent_cgroups);
    const auto now = usage(transparent_cgroups);
    if (!now)
        return now.error();
    // Without contributions, and while none may have memory, there is nobody to protect from. While something is given, one may
    // start at any time, and grow for a second before the next look.
    const bool may_grow = now->transparent > core::Pages(0) || limits.transparent > core::Pages(0);
    if (protects && (classes_ || may_grow)) {
        // With classes their limit takes what is beyond it.
        const core::Pages unprotected_from = classes_ ? now->total : limits.opaque;
        auto is_protected = protector_->protect(*now, limits.evicting_frees ? std::optional(unprotected_from) : std::nullopt,
                                                classes_ ? core::Cover::needs : core::Cover::all, contributed, knobs_);
        if (!is_protected)
            return is_protected;
    }
    if (fences)
        fence_.collect(*now, contributed, limits, *swap, knobs_);
    return knobs_.apply();
}

}  // namespace tmm::os
