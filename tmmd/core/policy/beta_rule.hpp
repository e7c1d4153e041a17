// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BetaRule: the paper's rule (section 2.1). Opaque memory may shrink as long as opaque misses stay below beta times those with
// all of memory. A miss costs so much more than a hit that the ratio of the miss rates is the ratio of the mean access times
// (equation 2). Where there are next to no misses, the ratio says nothing; there a floor holds, a rate that nobody feels. A plain
// value; pure.
#pragma once

#include "tmmd/core/histogram/lru_histogram.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

struct BetaRule {
    double beta = 1.05;             // at least 1
    double miss_floor_per_s = 1.0;  // allowed misses a second beyond those with all of memory, for any beta

    // Returns the misses a second that opaque programs may have. rates: accesses a second; total: all memory, in pages.
    [[nodiscard]] double allowed_misses(const LruHistogram& rates, Pages total) const;

    // Returns the smallest opaque memory that keeps to the rule, rounded up to a bucket; at most total.
    [[nodiscard]] Pages opaque_need(const LruHistogram& rates, Pages total) const;
};

}  // namespace tmm::core
