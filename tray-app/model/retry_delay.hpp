// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// RetryDelay: the waits between attempts, each twice as long as the one before. Pure; one thread.
#pragma once

#include <algorithm>
#include <chrono>

namespace tmm::tray {

class RetryDelay {
public:
    // min: the first wait; max: no wait is longer.
    constexpr RetryDelay(std::chrono::milliseconds min, std::chrono::milliseconds max) : min_(min), max_(max), next_(min) {}

    // Returns the wait before the next attempt.
    constexpr std::chrono::milliseconds next() {
        const std::chrono::milliseconds delay = next_;
        next_ = std::min(2 * next_, max_);
        return delay;
    }
    // Call it after an attempt that succeeded.
    constexpr void reset() { next_ = min_; }

private:
    std::chrono::milliseconds min_;
    std::chrono::milliseconds max_;
    std::chrono::milliseconds next_;
};

}  // namespace tmm::tray
