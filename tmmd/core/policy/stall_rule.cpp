// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/stall_rule.hpp"

#include <algorithm>

namespace tmm::core {

double StallRule::allowed_stall(double active_share) const {
    return std::max((beta - 1.0) * active_share, stall_floor);
}

}  // namespace tmm::core
