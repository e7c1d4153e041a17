// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "latency_log.hpp"

#include <gtest/gtest.h>

namespace tmm::desk {
namespace {

using std::chrono::milliseconds;

TEST(LatencyLog, ARowForEverySecondThatHadInteractions) {
    LatencyLog log;
    EXPECT_EQ(log.add(milliseconds(5100), milliseconds(10)), std::nullopt);
    EXPECT_EQ(log.add(milliseconds(5999), milliseconds(30)), std::nullopt);
    EXPECT_EQ(log.add(milliseconds(8000), milliseconds(2001)), "5,2,20.000,30.000,5.100\n");
    EXPECT_EQ(log.finish(), "8,1,2001.000,2001.000,8.000\n");
    EXPECT_EQ(log.finish(), std::nullopt);
}

TEST(LatencyLog, WithoutInteractionsThereIsNoRow) {
    LatencyLog log;
    EXPECT_EQ(log.finish(), std::nullopt);
}

TEST(LatencyLog, SecondZeroCounts) {
    LatencyLog log;
    EXPECT_EQ(log.add(milliseconds(0), milliseconds(1)), std::nullopt);
    EXPECT_EQ(log.add(milliseconds(1000), milliseconds(1)), "0,1,1.000,1.000,0.000\n");
}

}  // namespace
}  // namespace tmm::desk
