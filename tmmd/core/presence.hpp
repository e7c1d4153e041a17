// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Presence: what one tick knows of the people at the machine; all rules take it from here. PresenceWatch makes it. Where nothing
// tells of people, the use of the machine stands in. Pure: time is an argument. Not thread-safe.
#pragma once

#include <optional>

#include "tmmd/core/clocks.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

struct Presence {
    std::optional<Seconds> idle_for;  // since somebody last touched the machine; none: nothing tells of people
    std::optional<bool> attended;     // somebody counts as there, for IdleAfter after the last touch; none: as above
    std::optional<Seconds> left;      // the last touch was so long ago, and nobody counts as there from now on
    std::optional<Seconds> returned;  // a break of that length has just ended
    bool returning = false;           // within the first minute after a break

    bool operator==(const Presence&) const = default;
};

class PresenceWatch {
public:
    // A shorter absence is no break: people read, or talk (experiments/01-coffee-break has breaks of 200 s and more).
    static constexpr Seconds min_break{120};
    // The paper's section 4 counts misses in the first minute after the break.
    static constexpr Seconds minute{60};

    // idle_after: the time without a touch after which nobody counts as there.
    Presence step(std::optional<Seconds> idle_for, Seconds idle_after, AwakeTime now);

    // Call it at the end of an epoch. Where nothing tells of people, somebody counts as there if opaque programs used the machine
    // in it. idle_before: of its length, without use. Returns what has changed by that.
    Presence note_use(Seconds idle_before, Seconds length, bool in_use, AwakeTime now);

private:
    void pass(Seconds length, bool used, AwakeTime now);
    [[nodiscard]] bool returning(AwakeTime now) const { return returned_at_ && Seconds(now - *returned_at_) < minute; }

    Presence presence_;
    Seconds away_{0};  // so far
    std::optional<AwakeTime> returned_at_;
};

}  // namespace tmm::core
