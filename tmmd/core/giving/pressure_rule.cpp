// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/pressure_rule.hpp"

#include <algorithm>

namespace tmm::core {

bool PressureRule::step(std::optional<double> stall, bool contributions, bool may_hold, AwakeTime now) {
    const bool waiting = stall && parameters_.max_stall && *stall >= *parameters_.max_stall;
    if (hold_) {
        const Seconds held = now - hold_->began;
        if (may_hold && (held < hold_->min || (waiting && held < parameters_.max_hold)))
            return true;
        // Ended early, it says nothing of the cause.
        other_cause_ = waiting && may_hold;
        last_length_ = held;
        last_end_ = now;
        hold_.reset();
        return false;
    }
    other_cause_ = other_cause_ && waiting;
    if (!waiting || other_cause_ || !contributions || !may_hold)
        return false;
    const bool again = last_end_ && Seconds(now - *last_end_) < parameters_.max_hold;
    const Seconds min = again ? std::min(2 * last_length_, parameters_.max_hold) : parameters_.min_hold;
    hold_ = Hold{now, min};
    stall_ = *stall;
    return true;
}

}  // namespace tmm::core
