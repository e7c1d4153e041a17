// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/beta_rule.hpp"

#include <algorithm>

namespace tmm::core {

double BetaRule::allowed_misses(const BackedHistogram& accesses, Pages total) const {
    return beta * accesses.misses(total);
}

Pages BetaRule::opaque_need(const BackedHistogram& accesses, Pages total) const {
    const LruHistogram both = accesses.weighted({1, 1});
    return std::min(both.smallest_size(allowed_misses(accesses, total), total), total);
}

}  // namespace tmm::core
