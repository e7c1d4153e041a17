// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Wanted: all that shall be, after one step of the tick. Plain values.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tmmd/core/clocks.hpp"
#include "tmmd/core/giving/giving.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/core/policy/policy.hpp"
#include "tmmd/core/soft/division.hpp"

namespace tmm::core {

// What each cgroup keeps when opaque memory has to shrink.
struct Keeps {
    AwakeTime since{};  // of this list; a later one replaces it, also with the same content
    std::vector<CgroupKeeps> by_cgroup;
    bool operator==(const Keeps&) const = default;
};

// The result of a scan, for the source: it may have the kernel sort the pages of these cgroups.
struct Scanned {
    std::vector<CgroupKeeps> kept;  // as of KeepRule
    Seconds attended{0};            // of the time since the last one
    bool operator==(const Scanned&) const = default;
};

// A decision of the policy, with its circumstances.
struct PolicyStep {
    std::chrono::nanoseconds since_start{0};  // since the first
    MemoryUsage usage;
    Decision decision;
    std::optional<double> opaque_faults_per_s;  // major faults of opaque processes; none: they are not known
    Seconds epoch{0};                           // the epoch that ended with it; 0: it goes on
    ByBacking miss_latency{};                   // seconds
    std::size_t samples = 0;                    // pages known to the estimate
    bool source_changed = false;                // another source has other keys; also set in the first epoch
    // Major faults of opaque tasks since the last of these; none unless they are known and belong to a return.
    std::optional<std::uint64_t> return_faults;
    bool return_begins = false;

    bool operator==(const PolicyStep&) const = default;
};

// The costly parts of the next reading that are needed.
struct Asks {
    bool mains = false;
    bool waited = false;  // StallSigns::waited
    bool operator==(const Asks&) const = default;
};

struct Wanted {
    std::optional<MemoryUsage> memory;  // who has it now; none before the first reading of it
    // The limits, which contributions are held, what is evicted from them, and why.
    GivingDecision given;
    std::optional<Keeps> keeps;  // none: nothing is known of cgroups yet
    bool scan = true;            // the next reading shall have a scan, as soon as the source has one
    Asks asks;
    std::vector<SoftGrant> soft;  // what each heap of soft memory may have, as of the last second
    bool soft_urgent = false;     // others need the memory at once
    // Only in the step that makes them.
    std::optional<PolicyStep> step;
    std::optional<Scanned> scanned;
    int rate_change = 0;  // of the sampling rate, as a power of two

    bool operator==(const Wanted&) const = default;
};

}  // namespace tmm::core
