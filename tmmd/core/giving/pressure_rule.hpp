// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PressureRule: the safety net below the policy. Where opaque tasks wait for memory in spite of the limits, contributions stand
// still for a while: what they lost they would read back, from the disk that the owner waits for. A hold ends when the waiting is
// over, and the next one of a series is twice as long. One that has not helped after the longest time was not about contributions
// (a cgroup that waits at its own memory.high), and there is no other before opaque tasks have stopped waiting. Pure; times come
// in as arguments. Not thread-safe.
#pragma once

#include <chrono>
#include <optional>

#include "tmmd/core/moment.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// None of it is from the papers.
struct PressureParameters {
    // A hold begins when opaque tasks have waited for so large a share of the last minute, and is over below it; [0.01, 1]. None:
    // no hold ever begins.
    std::optional<double> max_stall = 0.10;
    Seconds min_hold{60};  // not below the time that the share is of: an older stall would lengthen it
    Seconds max_hold{1800};
};

class PressureRule {
public:
    void set_parameters(const PressureParameters& parameters) { parameters_ = parameters; }

    // Whether contributions are to stand still. stall: see OpaquePressure; none: not known, which begins no hold and ends one.
    // contributions: whether there are any. Without, none begins.
    bool step(std::optional<double> stall, bool contributions, TimePoint now);

    // That the latest hold began with.
    [[nodiscard]] double stall() const { return stall_; }

private:
    struct Hold {
        TimePoint began{0};
        Seconds least{0};
    };

    PressureParameters parameters_;
    std::optional<Hold> hold_;
    Seconds last_length_{0};
    std::optional<TimePoint> last_end_;
    bool helpless_ = false;
    double stall_ = 0;
};

}  // namespace tmm::core
