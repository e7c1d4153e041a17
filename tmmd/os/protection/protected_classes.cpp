// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/protection/protected_classes.hpp"

#include "tmmd/os/protection/contributed_memory.hpp"

namespace tmm::os {

Result<ProtectedClasses> ProtectedClasses::open(const RootDir& root) {
    auto classes = SysfsLimits::open(root);
    if (!classes)
        return std::move(classes).error();
    auto protector = CgroupProtector::open(root);
    return ProtectedClasses(root, *std::move(classes), protector ? std::optional(*std::move(protector)) : std::nullopt);
}

Result<void> ProtectedClasses::write(const Limits& limits) {
    limits_ = limits;
    auto written = classes_.write(limits);
    return written ? protect() : written;
}

// Within the limits the classes protect opaque memory, so nothing but a fence has to follow its usage.
Result<void> ProtectedClasses::follow(const std::vector<std::string>& transparent_cgroups) {
    transparent_cgroups_ = transparent_cgroups;
    return has_to_fence() ? protect() : Result<void>();
}

// Unreadable counters count as no swap in memory.
bool ProtectedClasses::has_to_fence() const {
    const auto swap = fence_.swap();
    return protector_ && limits_ && !transparent_cgroups_.empty() && swap && *swap == ContributionFence::Swap::memory;
}

Result<void> ProtectedClasses::protect_first(const std::vector<core::CgroupKeeps>& kept) {
    if (!protector_)
        return {};
    protector_->learn_needs(kept);
    return protect();
}

Result<void> ProtectedClasses::protect() {
    const bool protects = protector_ && limits_ && protector_->knows_needs();
    const bool fences = has_to_fence();
    if (!protects && !fences && !knobs_.holds_any())
        return {};
    auto begun = knobs_.begin();
    if (!begun)
        return begun;
    if (!protects && !fences)
        return knobs_.apply();  // gives all of them back
    const auto now = usage();
    if (!now)
        return now.error();
    const std::vector<core::ContributedPages> contributed = read_contributed(*root_, transparent_cgroups_);
    if (protects) {
        // The limit of the class takes what is beyond it.
        const auto opaque_limit = limits_->evicting_frees ? std::optional(now->total) : std::nullopt;
        auto is_protected = protector_->protect(*now, opaque_limit, core::Cover::needs, contributed, knobs_);
        if (!is_protected)
            return is_protected;
    }
    if (fences)
        fence_.collect(*now, contributed, *limits_, ContributionFence::Swap::memory, knobs_);
    return knobs_.apply();
}

}  // namespace tmm::os
