// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/holds/stall_clamp.hpp"

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

bool StallClamp::step(const StallSigns& signs, double share, bool may_hold, AwakeTime now) {
    // Before the reading moves on: the alarm tells of the time since the last one.
    const bool trigger = signs.alarm && is_opaque(signs, share);
    const bool waiting = !take_calm(signs, share, now).value_or(!signs.waited);
    const bool held = back_off_.holds();
    const bool holds = back_off_.step(trigger, waiting, may_hold, now);
    if (holds && !held) {
        // Only time with frozen contributions tells whether the clamp helps.
        reading_ = signs.waited ? std::optional(Reading{now, *signs.waited}) : std::nullopt;
    }
    return holds;
}

}  // namespace tmm::core
