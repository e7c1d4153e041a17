// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/presence.hpp"

#include <utility>

namespace tmm::core {

Presence PresenceWatch::step(std::optional<Seconds> idle_for, Seconds idle_after, AwakeTime now) {
    const Presence before = std::exchange(presence_, Presence());
    presence_.idle_for = idle_for;
    if (idle_for) {
        presence_.attended = *idle_for < idle_after;
        if (before.attended.value_or(false) && !*presence_.attended)
            presence_.left = *idle_for;
        const bool away = *idle_for >= min_break;
        if (!away && before.idle_for && away_ >= min_break) {
            presence_.returned = away_;
            returned_at_ = now;
        }
        away_ = away ? *idle_for : Seconds(0);
    } else if (before.idle_for) {
        away_ = Seconds(0);
    }
    presence_.returning = returning(now);
    return presence_;
}

void PresenceWatch::pass(Seconds length, bool used, AwakeTime now) {
    if (used && away_ >= min_break) {
        presence_.returned = away_;
        returned_at_ = now;
    }
    away_ = used ? Seconds(0) : away_ + length;
}

Presence PresenceWatch::note_use(Seconds idle_before, Seconds length, bool in_use, AwakeTime now) {
    if (!presence_.idle_for) {
        pass(idle_before, false, now);
        pass(length - idle_before, in_use, now);
        presence_.returning = returning(now);
    }
    return presence_;
}

}  // namespace tmm::core
