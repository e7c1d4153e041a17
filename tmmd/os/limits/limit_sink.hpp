// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LimitSink: reads the usage of memory by class, and makes the kernel keep what the tick wants. Called from one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/core/tick/wanted.hpp"

namespace tmm::os {

// The part of a decision that a sink enforces; see core::GivingDecision.
struct Limits {
    core::Pages opaque{0};
    core::Pages transparent{0};
    std::optional<core::Pages> swap_growth{};
    bool evicting_frees = true;
    bool operator==(const Limits&) const = default;
};

inline Limits limits_of(const core::GivingDecision& given) {
    return {given.opaque_limit, given.transparent_limit, given.swap_growth, given.evicting_frees};
}

class LimitSink {
public:
    virtual ~LimitSink() = default;

    // Returns the usage of memory by class. transparent_cgroups: the topmost, below the root directory, sorted. Error: the kernel
    // cannot be read.
    virtual Result<core::MemoryUsage> usage(const std::vector<std::string>& transparent_cgroups) = 0;

    // Enforces the limits, and what each cgroup keeps: when opaque memory has to shrink, the kernel is to take what exceeds it
    // first. Call it once a second, after each step from the policy's first decision on. Error: the kernel cannot be read or
    // written, and nothing of it is in force.
    virtual Result<void> apply(const core::Wanted& wanted, const std::vector<std::string>& transparent_cgroups) = 0;

    // Returns a reason why it is in force only in part, for people; empty: there is none.
    [[nodiscard]] virtual std::string problem() const { return ""; }
};

}  // namespace tmm::os
