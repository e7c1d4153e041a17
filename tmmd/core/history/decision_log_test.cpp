// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/history/decision_log.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

WallTime at(int second) {
    return WallTime(std::chrono::seconds(second));
}

Reason learning() {
    return {};
}

Reason allowing(std::uint64_t pages) {
    Reason reason;
    reason.code = ReasonCode::measured;
    reason.total = Pages(10'000);
    reason.allowed = Pages(pages);
    return reason;
}

TEST(DecisionLog, TheNewestComesFirst) {
    DecisionLog log;
    EXPECT_TRUE(log.newest(10).empty());
    log.add(at(1), "waiting", learning());
    log.add(at(2), "giving", allowing(2'000));
    const auto entries = log.newest(10);
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].kind, "giving");
    EXPECT_EQ(entries[1].reason.code, ReasonCode::learning);
    EXPECT_EQ(entries[1].first, at(1));
    EXPECT_EQ(log.newest(1).size(), 1U);
    EXPECT_EQ(log.newest(1)[0].kind, "giving");
    EXPECT_TRUE(log.newest(0).empty());
}

TEST(DecisionLog, EqualOnesInARowAreOne) {
    DecisionLog log;
    for (int second = 1; second <= 5; ++second)
        log.add(at(second), "giving", allowing(2'000));
    log.add(at(6), "giving", allowing(3'000));
    log.add(at(7), "paused", allowing(3'000));
    log.add(at(8), "giving", allowing(2'000));
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
        log.add(at(second), "giving", allowing(100 * static_cast<std::uint64_t>(second)));
    const auto entries = log.newest(1000);
    ASSERT_EQ(entries.size(), DecisionLog::capacity);
    EXPECT_EQ(entries.front().reason.allowed, Pages(14'900));
    EXPECT_EQ(entries.back().reason.allowed, Pages(5'000));
}

}  // namespace
}  // namespace tmm::core
