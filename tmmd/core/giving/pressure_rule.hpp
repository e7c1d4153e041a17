// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PressureRule: freezes contributions for a while if opaque tasks wait for memory in spite of the limits. Running contributions
// would read their lost memory back from the disk that the owner waits for. A hold ends when the waiting is over; the next one of
// a series is twice as long. If pressure persists after max_hold, its cause lies elsewhere (a cgroup at its own memory.high):
// contributions resume. The next hold then begins only after opaque tasks have stopped waiting. Pure: time is an argument. Not
// thread-safe.
#pragma once

#include <chrono>
#include <optional>

#include "tmmd/core/clocks.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// None of these is from the papers.
struct PressureParameters {
    // Share of the last minute, in [0.01, 1]. A hold begins when opaque tasks have waited for at least this share, and may end
    // below it. None: no hold ever begins.
    std::optional<double> max_stall = 0.10;
    Seconds min_hold{60};  // at least the minute of the share, or a stall from before the hold would lengthen it
    Seconds max_hold{1800};
};

class PressureRule {
public:
    // Takes effect at the next step.
    void set_parameters(const PressureParameters& parameters) { parameters_ = parameters; }

    // Returns whether contributions are to be frozen. stall: see OpaquePressure; none: not known, which begins no hold and ends a
    // current one. contributions: whether there are any; without them no hold begins. may_hold: otherwise no hold begins, and a
    // current one ends at once.
    bool step(std::optional<double> stall, bool contributions, bool may_hold, AwakeTime now);

    // Returns the stall at the beginning of the latest hold.
    [[nodiscard]] double stall() const { return stall_; }

private:
    struct Hold {
        AwakeTime began{};
        Seconds min{0};
    };

    PressureParameters parameters_;
    std::optional<Hold> hold_;
    Seconds last_length_{0};
    std::optional<AwakeTime> last_end_;
    bool other_cause_ = false;
    double stall_ = 0;
};

}  // namespace tmm::core
