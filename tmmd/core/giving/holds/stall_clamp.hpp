// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// StallClamp: freezes contributions for a moment as soon as opaque tasks wait for memory. The kernel's alarm comes while the
// stall is young; PressureRule, which goes by the last minute, comes seconds later. A calm second ends a clamp. A lasting stall
// is PressureRule's. BackOff says how long. Pure: time is an argument. Not thread-safe.
#pragma once

#include <optional>

#include "tmmd/core/clocks.hpp"
#include "tmmd/core/giving/holds/back_off.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// The signs of a stall at one step.
struct StallSigns {
    // The kernel raises an alarm if tasks wait for at least a share of this time.
    static constexpr Seconds alarm_window{0.5};

    bool alarm = false;  // since the last step
    // Only opaque tasks raise the alarm. Otherwise any task may have, also one of a contribution.
    bool opaque_only = false;
    // Time in which at least one opaque task waited, since any fixed moment; none: not known.
    std::optional<Seconds> waited;
};

class StallClamp {
public:
    static constexpr Seconds min_length{1};
    // PressureRule's shortest hold is twice as long; it has begun by then if opaque tasks waited in a fifth of the clamp.
    static constexpr Seconds max_length{30};
    // A clamp that begins within this time of the last one belongs to the same series.
    static constexpr Seconds series{60};

    // Returns the share of the alarm's window, and of a second that is not calm. It is half of what begins a hold of
    // PressureRule: only a part of the window has passed when a stall is young.
    static constexpr double share_of(double max_stall) { return max_stall / 2; }

    // Returns whether contributions are to be frozen. share: see share_of(). may_hold: otherwise no clamp begins, and a current
    // one ends.
    bool step(const StallSigns& signs, double share, bool may_hold, AwakeTime now);

    // Returns whether the next step needs StallSigns::waited; it is costly to read. An alarm that is not opaque_only needs it,
    // too, and at the step before.
    [[nodiscard]] bool asks_for_waited() const { return back_off_.holds() || back_off_.has_other_cause(); }

private:
    struct Reading {
        AwakeTime time{};
        Seconds waited{0};
    };

    [[nodiscard]] std::optional<bool> take_calm(const StallSigns& signs, double share, AwakeTime now);
    [[nodiscard]] bool is_opaque(const StallSigns& signs, double share) const;

    std::optional<Reading> reading_;
    BackOff back_off_{{min_length, max_length, series}};
};

}  // namespace tmm::core
