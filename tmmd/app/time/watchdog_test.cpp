// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/time/watchdog.hpp"

#include <gtest/gtest.h>

namespace tmm::app {
namespace {

using std::chrono::seconds;

TEST(Watchdog, IsToldFourTimesInWhatItWaits) {
    Watchdog watchdog(seconds(300));
    EXPECT_TRUE(watchdog.due(core::AwakeTime(seconds(1000))));
    EXPECT_FALSE(watchdog.due(core::AwakeTime(seconds(1001))));
    EXPECT_FALSE(watchdog.due(core::AwakeTime(seconds(1074))));
    EXPECT_TRUE(watchdog.due(core::AwakeTime(seconds(1075))));
    EXPECT_FALSE(watchdog.due(core::AwakeTime(seconds(1076))));
}

TEST(Watchdog, WhoWaitsLittleIsToldEachTime) {
    Watchdog watchdog(seconds(2));
    EXPECT_TRUE(watchdog.due(core::AwakeTime(seconds(1))));
    EXPECT_TRUE(watchdog.due(core::AwakeTime(seconds(2))));
}

TEST(Watchdog, NobodyWaits) {
    Watchdog watchdog({});
    EXPECT_FALSE(watchdog.due(core::AwakeTime(seconds(1))));
    EXPECT_FALSE(watchdog.due(core::AwakeTime(seconds(1000))));
}

}  // namespace
}  // namespace tmm::app
