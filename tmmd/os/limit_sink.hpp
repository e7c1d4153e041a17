// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LimitSink: writes the limits of the two classes to the kernel, and reads the usage of memory. Called from one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

struct Limits {
    core::Pages opaque{0};
    core::Pages transparent{0};
    // As of core::GivingDecision.
    std::optional<core::Pages> swap_growth{};
    bool evicting_frees = true;
    bool operator==(const Limits&) const = default;
};

class LimitSink {
public:
    virtual ~LimitSink() = default;

    // Sets both limits. Error: the kernel cannot be written; one limit may then be set.
    virtual Result<void> write(const Limits& limits) = 0;

    // Returns the usage of memory by class. Error: the kernel cannot be read.
    virtual Result<core::MemoryUsage> usage() = 0;

    // Call it once a second, and before the first of the others: a kernel that does not know the classes needs to be told of
    // changes. transparent_cgroups: the topmost, below the root directory, sorted. Error: as of write().
    virtual Result<void> follow(const std::vector<std::string>& transparent_cgroups) {
        static_cast<void>(transparent_cgroups);
        return {};
    }

    // Tells the memory that each cgroup is to keep: when opaque memory has to shrink, the kernel is to take what exceeds it
    // first. kept: all of unknown_cgroup if no cgroup is known. Error: as of write().
    virtual Result<void> protect_first(const std::vector<core::CgroupKeeps>& kept) {
        static_cast<void>(kept);
        return {};
    }

    // Returns a reason why limits are in force only in part, for people; empty: there is none.
    [[nodiscard]] virtual std::string problem() const { return ""; }
};

}  // namespace tmm::os
