// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Moment: one reading of all clocks. app/ reads them; core/ gets them as an argument. A plain value.
#pragma once

#include <chrono>

#include "tmmd/core/clocks.hpp"

namespace tmm::core {

// The wall clock. It jumps when somebody sets it.
using WallTime = std::chrono::sys_time<std::chrono::microseconds>;

inline constexpr unsigned minutes_per_day = 24 * 60;

struct Moment {
    AwakeTime awake;
    ElapsedTime elapsed;
    WallTime wall{};
    unsigned local_minute = 0;  // of the day, in local time; below minutes_per_day
};

}  // namespace tmm::core
