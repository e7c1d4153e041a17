// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/holds/back_off.hpp"

#include <algorithm>

namespace tmm::core {

bool BackOff::step(bool trigger, bool waiting, bool may_hold, AwakeTime now) {
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
    if (!trigger || other_cause_ || !may_hold)
        return false;
    const bool again = last_end_ && Seconds(now - *last_end_) < parameters_.series;
    const Seconds longest = std::max(parameters_.min_hold, parameters_.max_hold);
    hold_ = Hold{now, again ? std::clamp(2 * last_length_, parameters_.min_hold, longest) : parameters_.min_hold};
    return true;
}

}  // namespace tmm::core
