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

// Within the limits the classes protect opaque memory, so nothing has to follow its usage.
Result<void> ProtectedClasses::follow(const std::vector<std::string>& transparent_cgroups) {
    transparent_cgroups_ = transparent_cgroups;
    return {};
}

Result<void> ProtectedClasses::protect_first(const std::vector<core::CgroupKeeps>& kept) {
    if (!protector_)
        return {};
    protector_->learn_needs(kept);
    return protect();
}

Result<void> ProtectedClasses::protect() {
    const bool needed = protector_ && limits_ && protector_->knows_needs();
    if (!needed && !knobs_.holds_any())
        return {};
    auto begun = knobs_.begin();
    if (!begun)
        return begun;
    if (!needed)
        return knobs_.apply();  // gives all of them back
    const auto now = usage();
    if (!now)
        return now.error();
    // The limit of the class takes what is beyond it.
    auto is_protected =
        protector_->protect(*now, now->total, core::Cover::needs, read_contributed(*root_, transparent_cgroups_), knobs_);
    return is_protected ? knobs_.apply() : is_protected;
}

}  // namespace tmm::os
