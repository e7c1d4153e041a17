// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/time/clocks.hpp"

#include <time.h>

namespace tmm::app {

namespace {

std::chrono::nanoseconds read_clock(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

unsigned local_minute(time_t time) {
    // localtime_r(3) alone would keep the zone that it read first.
    ::tzset();
    tm local{};
    if (::localtime_r(&time, &local) == nullptr)
        return 0;
    return static_cast<unsigned>(local.tm_hour * 60 + local.tm_min);
}

}  // namespace

unsigned LocalMinute::at(core::WallTime wall) {
    const auto minute = std::chrono::floor<std::chrono::minutes>(wall);
    if (known_for_ != minute) {
        minute_ = local_minute(std::chrono::floor<std::chrono::seconds>(wall).time_since_epoch().count());
        known_for_ = minute;
    }
    return minute_;
}

core::Moment Clocks::read_machine() {
    const core::WallTime wall(std::chrono::duration_cast<std::chrono::microseconds>(read_clock(CLOCK_REALTIME)));
    return {.awake = awake(),
            .elapsed = core::ElapsedTime(read_clock(CLOCK_BOOTTIME)),
            .wall = wall,
            .local_minute = local_minute_.at(wall)};
}

core::AwakeTime Clocks::awake() {
    return core::AwakeTime(read_clock(CLOCK_MONOTONIC));
}

}  // namespace tmm::app
