// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PressureRule: freezes contributions for a while if opaque tasks wait for memory in spite of the limits. Running contributions
// would read their lost memory back from the disk that the owner waits for. If pressure persists after max_hold, its cause lies
// elsewhere (a cgroup at its own memory.high): contributions resume. BackOff says how long. Pure: time is an argument. Not
// thread-safe.
#pragma once

#include <chrono>
#include <optional>

#include "tmmd/core/clocks.hpp"
#include "tmmd/core/giving/holds/back_off.hpp"
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
    void set_parameters(const PressureParameters& parameters) {
        max_stall_ = parameters.max_stall;
        back_off_.set_parameters(back_off(parameters));
    }

    // Returns whether contributions are to be frozen. stall: see OpaquePressure; none: not known, which begins no hold and ends a
    // current one. contributions: whether there are any; without them no hold begins. may_hold: as for BackOff.
    bool step(std::optional<double> stall, bool contributions, bool may_hold, AwakeTime now);

    // Returns the stall at the beginning of the latest hold.
    [[nodiscard]] double stall() const { return stall_; }

private:
    static BackOffParameters back_off(const PressureParameters& p) { return {p.min_hold, p.max_hold, p.max_hold}; }

    std::optional<double> max_stall_ = PressureParameters().max_stall;
    BackOff back_off_{back_off(PressureParameters())};
    double stall_ = 0;
};

}  // namespace tmm::core
