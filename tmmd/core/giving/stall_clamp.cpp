// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/stall_clamp.hpp"

#include <algorithm>

namespace tmm::core {

namespace {

// A shorter time says little: one page that is read back may fill it.
constexpr Seconds min_measured{1};

}  // namespace

// Returns whether the time since the reading was calm, and takes the next one; nothing if that time is too short or not known.
std::optional<bool> StallClamp::take_calm(const StallSigns& signs, double share, AwakeTime now) {
    if (!signs.waited) {
        reading_.reset();
        return std::nullopt;
    }
    if (!reading_) {
        reading_ = Reading{now, *signs.waited};
        return std::nullopt;
    }
    const Seconds elapsed = now - reading_->time;
    if (elapsed < min_measured)
        return std::nullopt;
    const Seconds waited = *signs.waited - reading_->waited;
    reading_ = Reading{now, *signs.waited};
    return waited < share * elapsed;
}

// The machine's alarm counts contributions, too. Then opaque tasks must have waited for as long as the alarm takes.
bool StallClamp::is_opaque(const StallSigns& signs, double share) const {
    if (signs.opaque_only)
        return true;
    return signs.waited && reading_ && *signs.waited - reading_->waited >= share * StallSigns::alarm_window;
}

void StallClamp::begin(const StallSigns& signs, AwakeTime now) {
    const bool again = last_end_ && Seconds(now - *last_end_) < series;
    clamp_ = Clamp{now, again ? std::clamp(2 * last_length_, min_length, max_length) : min_length};
    // Only time with frozen contributions tells whether the clamp helps.
    reading_.reset();
    if (signs.waited)
        reading_ = Reading{now, *signs.waited};
}

void StallClamp::end(bool calm, AwakeTime now) {
    other_cause_ = !calm;
    last_length_ = now - clamp_->began;
    last_end_ = now;
    clamp_.reset();
}

bool StallClamp::step(const StallSigns& signs, double share, bool may_hold, AwakeTime now) {
    if (!clamp_) {
        // Before the reading moves on: the alarm tells of the time since the last one.
        const bool opaque_alarm = signs.alarm && is_opaque(signs, share);
        const bool calm = take_calm(signs, share, now).value_or(!signs.waited);
        other_cause_ = other_cause_ && !calm;
        if (opaque_alarm && may_hold && !other_cause_)
            begin(signs, now);
        return clamp_.has_value();
    }
    const Seconds held = now - clamp_->began;
    const auto calm = take_calm(signs, share, now);
    if (!may_hold)
        end(calm.value_or(true), now);
    else if (held >= clamp_->min && (calm.value_or(!signs.waited)))
        end(true, now);
    else if (held >= max_length)
        end(false, now);
    return clamp_.has_value();
}

}  // namespace tmm::core
