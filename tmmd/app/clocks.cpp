// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/clocks.hpp"

#include <time.h>

namespace tmm::app {

namespace {

std::chrono::nanoseconds read(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

unsigned local_minute(time_t time) {
    // localtime_r(3) alone would go on with the zone that it saw first.
    ::tzset();
    tm local{};
    if (::localtime_r(&time, &local) == nullptr)
        return 0;
    return static_cast<unsigned>(local.tm_hour * 60 + local.tm_min);
}

}  // namespace

core::Moment read_clocks() {
    const std::chrono::nanoseconds wall = read(CLOCK_REALTIME);
    return {.awake = read(CLOCK_MONOTONIC),
            .elapsed = read(CLOCK_BOOTTIME),
            .wall = core::WallTime(std::chrono::duration_cast<std::chrono::microseconds>(wall)),
            .local_minute = local_minute(std::chrono::duration_cast<std::chrono::seconds>(wall).count())};
}

}  // namespace tmm::app
