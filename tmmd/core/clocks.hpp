// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Awake and Elapsed: two clocks that never go back, as types. A time of one neither compares with nor subtracts from a time of
// the other. They have no now(): only app/time/clocks reads clocks. The origin of both is arbitrary. Pure; thread-safe.
#pragma once

#include <chrono>

namespace tmm::core {

// Stops while the machine sleeps (CLOCK_MONOTONIC): for all that the machine does.
struct Awake {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<Awake>;
    static constexpr bool is_steady = true;
};

// Goes on while the machine sleeps (CLOCK_BOOTTIME): for the owner's pauses and absences.
struct Elapsed {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<Elapsed>;
    static constexpr bool is_steady = true;
};

using AwakeTime = Awake::time_point;
using ElapsedTime = Elapsed::time_point;

}  // namespace tmm::core
