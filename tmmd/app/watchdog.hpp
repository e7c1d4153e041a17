// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Watchdog: when to tell systemd that the daemon still works: four times in what it waits, for each time wakes it up. Pure. Not
// thread-safe.
#pragma once

#include <chrono>
#include <optional>

#include "tmmd/core/clocks.hpp"

namespace tmm::app {

class Watchdog {
public:
    // waits: how long until it takes the daemon for dead; none: nobody waits.
    explicit Watchdog(std::optional<std::chrono::nanoseconds> waits) : waits_(waits) {}

    // Asked at each tick; what it says is due is taken as told.
    bool due(core::AwakeTime now) {
        if (!waits_ || now < next_)
            return false;
        next_ = now + *waits_ / 4;
        return true;
    }

private:
    std::optional<std::chrono::nanoseconds> waits_;
    core::AwakeTime next_ = core::AwakeTime::min();
};

}  // namespace tmm::app
