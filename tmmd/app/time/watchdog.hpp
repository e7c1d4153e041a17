// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Watchdog: decides when to send systemd the sign that the daemon works. It sends four in systemd's timeout, no more, because
// each wakes systemd up. Pure. Not thread-safe.
#pragma once

#include <chrono>
#include <optional>

#include "tmmd/core/clocks.hpp"

namespace tmm::app {

class Watchdog {
public:
    // waits: systemd's timeout, after which it takes the daemon for dead; none: no watchdog.
    explicit Watchdog(std::optional<std::chrono::nanoseconds> waits) : waits_(waits) {}

    // Returns whether to notify systemd now. Call it at each tick, and notify whenever it returns true: it counts the notice as
    // sent.
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
