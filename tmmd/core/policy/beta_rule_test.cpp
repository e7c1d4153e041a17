// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/beta_rule.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

// 1000 accesses at 200 pages, 30 at 400, 4 at 600, and some deeper than all 1000 pages of memory; half of them to files.
BackedHistogram sample_accesses(double beyond_memory) {
    BackedHistogram accesses(Pages(10), 200);
    accesses.add(195, 195, {500, 500});
    accesses.add(395, 395, {15, 15});
    accesses.add(595, 595, {2, 2});
    accesses.add(1500, 1500, {beyond_memory, 0});
    return accesses;
}

TEST(BetaRule, AllowsTheShareOfTheMissesThatThereAreAnyway) {
    const BetaRule rule{.beta = 1.05};
    EXPECT_DOUBLE_EQ(rule.allowed_misses(sample_accesses(200), Pages(1000)), 210);
    EXPECT_EQ(rule.opaque_need(sample_accesses(200), Pages(1000)), Pages(400)) << "10 more are allowed: the 4 fit, the 30 do not";
    const BetaRule generous{.beta = 1.20};
    EXPECT_EQ(generous.opaque_need(sample_accesses(200), Pages(1000)), Pages(200)) << "40 more are allowed: 34 fit";
}

TEST(BetaRule, TheUnitOfTheAccessesDoesNotMatter) {
    BackedHistogram shares = sample_accesses(200);
    shares.add_scaled(sample_accesses(200), 999);
    EXPECT_EQ(BetaRule{}.opaque_need(shares, Pages(1000)), Pages(400));
}

TEST(BetaRule, WhereThereAreNoMissesNoneIsAllowed) {
    EXPECT_EQ(BetaRule{}.opaque_need(sample_accesses(0), Pages(1000)), Pages(600));
    EXPECT_EQ(BetaRule{.beta = 10}.opaque_need(sample_accesses(0), Pages(1000)), Pages(600));
}

TEST(BetaRule, NeedIsAtMostAllMemoryAndNothingForNothing) {
    BackedHistogram flat(Pages(10), 200);
    flat.add(0, 1000, {1e6, 0});
    EXPECT_EQ(BetaRule{}.opaque_need(flat, Pages(995)), Pages(995));
    EXPECT_EQ(BetaRule{}.opaque_need(BackedHistogram(Pages(10), 200), Pages(1000)), Pages(0));
}

}  // namespace
}  // namespace tmm::core
