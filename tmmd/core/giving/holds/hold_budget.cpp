// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/holds/hold_budget.hpp"

#include <algorithm>

namespace tmm::core {

bool HoldBudget::step(bool attended, bool held, AwakeTime now) {
    const Seconds elapsed = now - last_step_.value_or(now);
    last_step_ = now;
    if (attended)
        left_ = max_budget;
    else
        left_ = std::clamp<Seconds>(held ? left_ - elapsed : left_ + elapsed / refill, Seconds(0), max_budget);
    if (left_ == Seconds(0))
        used_up_ = true;
    else if (left_ == max_budget)
        used_up_ = false;
    return !used_up_;
}

}  // namespace tmm::core
