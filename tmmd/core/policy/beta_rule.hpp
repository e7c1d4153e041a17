// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BetaRule: the paper's rule (section 2.1). Opaque memory may shrink as long as opaque misses stay below beta times those with
// all of memory. A miss costs so much more than a hit that the ratio of the miss ratios is the ratio of the mean access times
// (equation 2). A plain value; pure.
#pragma once

#include "tmmd/core/histogram/distances/backed_histogram.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

struct BetaRule {
    double beta = 1.05;  // at least 1

    // Returns the misses that opaque programs may have, in the unit of accesses. total: all memory, in pages.
    [[nodiscard]] double allowed_misses(const BackedHistogram& accesses, Pages total) const;

    // Returns the smallest opaque memory that keeps to the rule, rounded up to a bucket; at most total.
    [[nodiscard]] Pages opaque_need(const BackedHistogram& accesses, Pages total) const;
};

}  // namespace tmm::core
