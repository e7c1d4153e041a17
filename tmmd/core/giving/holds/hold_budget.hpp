// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// HoldBudget: bounds how long contributions are held for pressure while nobody is at the machine. A job of the night waits for
// memory by itself: it reads files, and reclaim makes room for them. Nobody feels that, and a hold does not end it. Pure: time is
// an argument. Not thread-safe.
#pragma once

#include <optional>

#include "tmmd/core/clocks.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

class HoldBudget {
public:
    // Time of holds in an absence. PressureRule's shortest hold is as long: one still shows whether it helps.
    static constexpr Seconds max_budget{60};
    // So many seconds without a hold allow one second of a hold again.
    static constexpr double refill = 10;

    // Returns whether contributions may be held for pressure. While somebody is at the machine (attended), they always may.
    // Otherwise they may until the budget is used up, and again when it is full.
    // held: contributions were held for pressure since the last step.
    bool step(bool attended, bool held, AwakeTime now);

private:
    Seconds left_ = max_budget;
    bool used_up_ = false;
    std::optional<AwakeTime> last_step_;
};

}  // namespace tmm::core
