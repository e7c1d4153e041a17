// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Snapshot: the daemon's state at one moment, as plain values, for the bus and other readers.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tmmd/core/giving/giving.hpp"
#include "tmmd/core/moment.hpp"

namespace tmm::app {

struct Snapshot {
    // No limit can be set. A kernel with TMM then protects opaque memory without limit.
    bool trouble = false;
    bool no_kernel = false;  // the trouble: the running kernel has no TMM
    core::GivingKind kind = core::GivingKind::waiting;
    std::string sentence;         // for the trouble, else for the decision
    core::Reason reason;          // for the decision
    bool under_pressure = false;  // contributions are held because opaque tasks wait for memory
    core::Settings settings;      // a pause's end is in wall time
    bool owner_decided = false;   // whether the owner has ever given a command
    core::GivingParameters administrators;

    // As of the last decision; zeros before the first.
    Bytes total_bytes{0};
    Bytes opaque_bytes{0};
    Bytes transparent_bytes{0};
    Bytes free_bytes{0};
    // The limits in force; none: no limit is in force.
    std::optional<Bytes> opaque_limit_bytes;
    std::optional<Bytes> transparent_limit_bytes;

    double expected_slowdown = std::numeric_limits<double>::quiet_NaN();  // 0.004 is 0.4 %; not a number: not known
    // Share of the last minute in which opaque tasks waited for memory, in [0, 1]; NaN: not known.
    double measured_stall = std::numeric_limits<double>::quiet_NaN();
    double given_byte_seconds = 0;

    std::uint64_t last_return_faults = 0;  // major faults of opaque tasks after the last break since the daemon began

    // Of the sample source, see SampleSource; both are empty without one.
    std::string source_id;
    std::string source_description;
};

}  // namespace tmm::app
