// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/ages/epoch_pages.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

// Pages of two cgroups; some of the second were evicted.
EpochPages some_pages() {
    EpochPages epoch;
    epoch.end = {Seconds(10), Seconds(20)};
    epoch.of(7).resident[1] = 5;
    epoch.of(8).resident[1] = 3;
    epoch.of(8).evicted[1] = 2;
    return epoch;
}

TEST(EpochPages, CountsByCgroupAndKind) {
    EpochPages epoch = some_pages();
    EXPECT_EQ(epoch.by_kind()[1], 10) << "evicted ones, too";
    EXPECT_EQ(epoch.by_kind()[0], 0);
    EXPECT_EQ(epoch.resident(), 8U);
    EXPECT_EQ(epoch.shares.size(), 2U);
}

TEST(EpochPages, AShareGoesWithItsLastPage) {
    EpochPages epoch = some_pages();
    epoch.take({.kind = 1, .cgroup = 7, .weight = 4});
    EXPECT_EQ(epoch.of(7).resident[1], 1U);
    epoch.take({.kind = 1, .cgroup = 7, .weight = 1});
    epoch.take({.kind = 1, .cgroup = 8, .weight = 3});
    ASSERT_EQ(epoch.shares.size(), 1U);
    EXPECT_EQ(epoch.shares[0].cgroup, 8U) << "has evicted pages";
    EXPECT_EQ(epoch.by_kind()[1], 2);
}

TEST(EpochPages, AMergedEpochEndsWithTheLaterOne) {
    EpochPages epoch = some_pages();
    EpochPages next = some_pages();
    next.end = {Seconds(11), Seconds(21)};
    next.of(9).resident[0] = 1;
    epoch.merge(next);
    EXPECT_EQ(epoch.end, next.end);
    EXPECT_EQ(epoch.by_kind()[1], 20);
    EXPECT_EQ(epoch.resident(), 17U);
    EXPECT_EQ(epoch.shares.size(), 3U);
}

TEST(EpochPages, EvictedPagesOfCgroupsThatAreGoneBelongToNone) {
    EpochPages epoch = some_pages();
    epoch.take({.kind = 1, .cgroup = 8, .weight = 3});
    epoch.disown_evicted();
    EXPECT_EQ(epoch.by_kind()[1], 7);
    EXPECT_EQ(epoch.of(unknown_cgroup).evicted[1], 2);
    EXPECT_EQ(epoch.of(7).resident[1], 5U);
    EXPECT_EQ(epoch.shares.size(), 2U);
}

}  // namespace
}  // namespace tmm::core
