// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the daemon tells of itself: plain values, taken at one moment, for the bus and whoever else asks.
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
    // Whether limits can be set at all. If not, reason says why, and the kernel protects opaque memory without limit.
    bool trouble = false;
    core::GivingKind kind = core::GivingKind::waiting;
    std::string reason;
    bool under_pressure = false;  // contributions stand still because opaque tasks wait for memory
    core::Settings settings;      // with the wall time of a pause's end
    core::GivingParameters administrators;

    // As of the last decision; zeros before the first.
    Bytes total_bytes{0};
    Bytes opaque_bytes{0};
    Bytes transparent_bytes{0};
    Bytes free_bytes{0};
    // As they are in force; none: no limit is in force.
    std::optional<Bytes> opaque_limit_bytes;
    std::optional<Bytes> transparent_limit_bytes;

    double expected_slowdown = 0;  // 0.004 is 0.4 %
    // Share of the last minute in which opaque tasks waited for memory; NaN: not known.
    double measured_stall = std::numeric_limits<double>::quiet_NaN();
    double given_byte_seconds = 0;

    std::uint64_t last_return_faults = 0;  // major faults of opaque tasks counted after the last break since the daemon began

    // Of the sample source, see SampleSource; both empty while there is none.
    std::string source_id;
    std::string source_description;
};

}  // namespace tmm::app
