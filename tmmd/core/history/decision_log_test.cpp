// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/history/decision_log.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

WallTime at(int second) {
    return WallTime(std::chrono::seconds(second));
}

TEST(DecisionLog, TheNewestComesFirst) {
    DecisionLog log;
    EXPECT_TRUE(log.newest(10).empty());
    log.add(at(1), "waiting", "learning");
    log.add(at(2), "giving", "2 GB");
    const auto entries = log.newest(10);
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].kind, "giving");
    EXPECT_EQ(entries[1].reason, "learning");
    EXPECT_EQ(entries[1].first, at(1));
    EXPECT_EQ(log.newest(1).size(), 1U);
    EXPECT_EQ(log.newest(1)[0].kind, "giving");
    EXPECT_TRUE(log.newest(0).empty());
}

TEST(DecisionLog, EqualOnesInARowAreOne) {
    DecisionLog log;
    for (int second = 1; second <= 5; ++second)
        log.add(at(second), "giving", "2 GB");
    log.add(at(6), "giving", "3 GB");
    log.add(at(7), "paused", "3 GB");
    log.add(at(8), "giving", "2 GB");
    const auto entries = log.newest(10);
    ASSERT_EQ(entries.size(), 4U) << "only equal ones in a row are one entry";
    EXPECT_EQ(entries[3].count, 5U);
    EXPECT_EQ(entries[3].first, at(1));
    EXPECT_EQ(entries[3].last, at(5));
    EXPECT_EQ(entries[0].count, 1U);
}

TEST(DecisionLog, TheOldestGo) {
    DecisionLog log;
    for (int second = 0; second < 150; ++second)
        log.add(at(second), "giving", std::to_string(second));
    const auto entries = log.newest(1000);
    ASSERT_EQ(entries.size(), DecisionLog::capacity);
    EXPECT_EQ(entries.front().reason, "149");
    EXPECT_EQ(entries.back().reason, "50");
}

}  // namespace
}  // namespace tmm::core
