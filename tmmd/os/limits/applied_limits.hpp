// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// AppliedLimits: lets a test change one of the things that KernelLimits applies, and applies all.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "tmmd/os/limits/kernel_limits.hpp"

namespace tmm::os {

class AppliedLimits {
public:
    explicit AppliedLimits(KernelLimits sink) : sink_(std::move(sink)) {}

    Result<void> follow(const std::vector<std::string>& transparent_cgroups) {
        cgroups_ = transparent_cgroups;
        return apply();
    }
    Result<void> write(const Limits& limits) {
        has_limits_ = true;
        wanted_.given.opaque_limit = limits.opaque;
        wanted_.given.transparent_limit = limits.transparent;
        wanted_.given.swap_growth = limits.swap_growth;
        wanted_.given.evicting_frees = limits.evicting_frees;
        return apply();
    }
    Result<void> protect_first(const std::vector<core::CgroupKeeps>& kept) {
        wanted_.keeps = core::Keeps{now_ += std::chrono::seconds(1), kept};
        return apply();
    }
    Result<core::MemoryUsage> usage() { return sink_.usage(cgroups_); }
    [[nodiscard]] std::string problem() const { return sink_.problem(); }

private:
    // As the daemon, which waits for the first decision.
    Result<void> apply() { return has_limits_ ? sink_.apply(wanted_, cgroups_) : Result<void>(); }

    KernelLimits sink_;
    core::Wanted wanted_;
    std::vector<std::string> cgroups_;
    core::AwakeTime now_{};
    bool has_limits_ = false;
};

}  // namespace tmm::os
