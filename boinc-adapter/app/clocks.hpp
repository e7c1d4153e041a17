// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The machine's clocks, for the event loop: everything else takes its time as an argument.
#pragma once

#include <chrono>
#include <ctime>

#include "boinc-adapter/policy/facts.hpp"

namespace tmm::boinc {

inline std::chrono::milliseconds read_clock(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::seconds(time.tv_sec) +
                                                                 std::chrono::nanoseconds(time.tv_nsec));
}

inline Now now() {
    return {read_clock(CLOCK_BOOTTIME), read_clock(CLOCK_REALTIME)};
}

}  // namespace tmm::boinc
