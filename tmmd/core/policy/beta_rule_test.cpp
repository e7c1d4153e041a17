// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/beta_rule.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

// 1000 accesses/s at 200 pages, 30/s at 400, 4/s at 600, and 200/s deeper than all 1000 pages of memory.
LruHistogram sample_rates(double beyond_memory) {
    LruHistogram rates(Pages(10), 200);
    rates.add(195, 195, 1000);
    rates.add(395, 395, 30);
    rates.add(595, 595, 4);
    rates.add(1500, 1500, beyond_memory);
    return rates;
}

TEST(BetaRule, AllowsTheShareOfTheMissesThatThereAreAnyway) {
    const BetaRule rule{.beta = 1.05, .miss_floor_per_s = 1};
    EXPECT_DOUBLE_EQ(rule.allowed_misses(sample_rates(200), Pages(1000)), 210);
    EXPECT_EQ(rule.opaque_need(sample_rates(200), Pages(1000)), Pages(400))
        << "10/s more are allowed: the 4/s fit, the 30/s do not";
    const BetaRule generous{.beta = 1.20, .miss_floor_per_s = 1};
    EXPECT_EQ(generous.opaque_need(sample_rates(200), Pages(1000)), Pages(200)) << "40/s more are allowed: 34/s fit";
}

TEST(BetaRule, TheFloorCountsWhereThereAreNoMisses) {
    EXPECT_EQ((BetaRule{.beta = 1.05, .miss_floor_per_s = 0}).opaque_need(sample_rates(0), Pages(1000)), Pages(600));
    EXPECT_EQ((BetaRule{.beta = 1.05, .miss_floor_per_s = 3.9}).opaque_need(sample_rates(0), Pages(1000)), Pages(600));
    EXPECT_EQ((BetaRule{.beta = 1.05, .miss_floor_per_s = 4}).opaque_need(sample_rates(0), Pages(1000)), Pages(400));
}

TEST(BetaRule, NeedIsAtMostAllMemoryAndNothingForNothing) {
    LruHistogram flat(Pages(10), 200);
    flat.add(0, 1000, 1e6);
    EXPECT_EQ(BetaRule{}.opaque_need(flat, Pages(995)), Pages(995));
    EXPECT_EQ(BetaRule{}.opaque_need(LruHistogram(Pages(10), 200), Pages(1000)), Pages(0));
}

}  // namespace
}  // namespace tmm::core
