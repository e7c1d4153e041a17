// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/beta_rule.hpp"

#include <algorithm>

namespace tmm::core {

double BetaRule::allowed_misses(const LruHistogram& rates, Pages total) const {
    const double with_all_memory = rates.misses(total);
    return std::max(beta * with_all_memory, with_all_memory + miss_floor_per_s);
}

Pages BetaRule::opaque_need(const LruHistogram& rates, Pages total) const {
    return std::min(rates.smallest_size(allowed_misses(rates, total), total), total);
}

}  // namespace tmm::core
