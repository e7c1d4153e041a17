// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The paper's rule (section 2.1): opaque memory may shrink as long as opaque misses stay below beta times what they would be with
// all of memory. A miss costs so much more than a hit that the ratio of the miss rates is the ratio of the mean access times
// (equation 2). The rule alone says nothing where there are next to no misses; there, a floor: so many a second are never felt.
#pragma once

#include "tmmd/core/histogram/lru_histogram.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

struct BetaRule {
    double beta = 1.05;             // at least 1
    double miss_floor_per_s = 1.0;  // misses a second that are allowed beyond those with all of memory, whatever beta says

    // Misses a second that opaque applications may have. rates: accesses a second; total: all memory, in pages.
    [[nodiscard]] double allowed_misses(const LruHistogram& rates, Pages total) const;

    // The smallest opaque memory that keeps to it, rounded up to a bucket; at most total.
    [[nodiscard]] Pages opaque_need(const LruHistogram& rates, Pages total) const;
};

}  // namespace tmm::core
