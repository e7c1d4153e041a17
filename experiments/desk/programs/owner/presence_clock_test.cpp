// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "presence_clock.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace tmm::desk {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

TEST(PresenceClock, AnInteractionInterruptedByTheBreakCountsFromTheReturn) {
    EXPECT_EQ(waited(seconds(10), seconds(0), seconds(12)), seconds(2));
    EXPECT_EQ(waited(seconds(10), seconds(5), seconds(12)), seconds(2)) << "an earlier break does not matter";
    EXPECT_EQ(waited(seconds(10), seconds(100), seconds(103)), seconds(3));
}

TEST(PresenceClock, NoticesTheReturn) {
    watch_presence();
    EXPECT_EQ(last_return(), nanoseconds(0));
    const auto before = monotonic_now();
    ::raise(SIGCONT);
    EXPECT_GE(last_return(), before);
    EXPECT_LE(last_return(), monotonic_now());
    EXPECT_FALSE(asked_to_end());
    ::raise(SIGTERM);
    EXPECT_TRUE(asked_to_end());
}

}  // namespace
}  // namespace tmm::desk
