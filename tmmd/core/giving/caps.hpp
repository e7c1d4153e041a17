// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Caps: holds the bounds and conditions of one person, the owner or the administrator, on giving. CapsChange: changes some of
// them. Plain values; pure.
#pragma once

#include <optional>

#include "base/quantity.hpp"
#include "tmmd/core/giving/quiet_hours.hpp"

namespace tmm::core {

// The maximum that may be given, and the conditions. A member without a value sets no bound.
struct Caps {
    std::optional<Bytes> max_bytes;
    std::optional<double> max_percent;      // of the memory that the limits divide, in [0, 100]
    bool only_when_idle = false;            // give only if nobody has touched the machine for idle_after
    bool only_on_mains = false;             // give only on mains power
    std::optional<QuietHours> quiet_hours;  // give nothing in this time

    bool operator==(const Caps&) const = default;
};

// New values for the caps that are present; the others stay. A bound that is present but empty (emplace()) is removed.
struct CapsChange {
    std::optional<std::optional<Bytes>> max_bytes;
    std::optional<std::optional<double>> max_percent;  // in [0, 100]
    std::optional<bool> only_when_idle;
    std::optional<bool> only_on_mains;
    std::optional<std::optional<QuietHours>> quiet_hours;

    bool operator==(const CapsChange&) const = default;
};

// Returns the caps after the change.
Caps apply(Caps caps, const CapsChange& change);

}  // namespace tmm::core
