// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/holds/pressure_rule.hpp"

namespace tmm::core {

bool PressureRule::step(std::optional<double> stall, bool contributions, bool may_hold, AwakeTime now) {
    const bool waiting = stall && max_stall_ && *stall >= *max_stall_;
    const bool held = back_off_.holds();
    const bool holds = back_off_.step(waiting && contributions, waiting, may_hold, now);
    if (holds && !held)
        stall_ = *stall;
    return holds;
}

}  // namespace tmm::core
