// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BackOff: how long contributions are held because opaque tasks wait for memory. A hold ends when the waiting is over. The next
// one of a series is twice as long, so that contributions which bring the waiting back do not take turns with the owner. A hold
// that does not end the waiting ends by itself; its cause lies elsewhere, so the next one begins only after the waiting has
// ended. PressureRule and StallClamp are its two triggers. Pure: time is an argument. Not thread-safe.
#pragma once

#include <optional>

#include "tmmd/core/clocks.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

struct BackOffParameters {
    Seconds min_hold{0};
    Seconds max_hold{0};
    Seconds series{0};  // a hold that begins within this time of the last one belongs to the same series
};

class BackOff {
public:
    explicit BackOff(const BackOffParameters& parameters) : parameters_(parameters) {}

    // Takes effect at the next step.
    void set_parameters(const BackOffParameters& parameters) { parameters_ = parameters; }

    // Returns whether contributions are to be held. trigger: a hold should begin. waiting: opaque tasks still wait, so a hold
    // goes on. may_hold: otherwise no hold begins, and a current one ends at once.
    bool step(bool trigger, bool waiting, bool may_hold, AwakeTime now);

    [[nodiscard]] bool holds() const { return hold_.has_value(); }
    // Returns whether the last hold did not end the waiting, which has gone on since.
    [[nodiscard]] bool has_other_cause() const { return other_cause_; }

private:
    struct Hold {
        AwakeTime began{};
        Seconds min{0};
    };

    BackOffParameters parameters_;
    std::optional<Hold> hold_;
    Seconds last_length_{0};
    std::optional<AwakeTime> last_end_;
    bool other_cause_ = false;
};

}  // namespace tmm::core
