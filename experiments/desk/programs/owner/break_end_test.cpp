// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "break_end.hpp"

#include <gtest/gtest.h>

namespace tmm::desk {
namespace {

using std::chrono::seconds;

constexpr BreakBounds bounds{seconds(90), seconds(900), 512};

TEST(BreakEnd, LastsForTheMinimumHoweverLargeTheContribution) {
    EXPECT_FALSE(break_is_over(bounds, seconds(0), 0));
    EXPECT_FALSE(break_is_over(bounds, seconds(90) - std::chrono::nanoseconds(1), 1000));
    EXPECT_TRUE(break_is_over(bounds, seconds(90), 1000));
}

TEST(BreakEnd, WaitsUntilTheContributionHasExceededTheMemory) {
    EXPECT_FALSE(break_is_over(bounds, seconds(90), 511));
    EXPECT_FALSE(break_is_over(bounds, seconds(200), 512));
    EXPECT_TRUE(break_is_over(bounds, seconds(200), 513));
}

TEST(BreakEnd, DoesNotOutlastTheMaximum) {
    EXPECT_FALSE(break_is_over(bounds, seconds(899), 0));
    EXPECT_TRUE(break_is_over(bounds, seconds(900), 0));
    EXPECT_TRUE(break_is_over(bounds, seconds(5000), 0)) << "after a machine that stood still";
}

TEST(BreakEnd, HasOneLengthWhenBothBoundsAreTheSame) {
    constexpr BreakBounds fixed{seconds(90), seconds(90), 512};
    EXPECT_FALSE(break_is_over(fixed, seconds(89), 1000));
    EXPECT_TRUE(break_is_over(fixed, seconds(90), 0));
}

TEST(BreakEnd, WaitsForNothingWithoutAContribution) {
    EXPECT_TRUE(break_is_over({seconds(90), seconds(900), 0}, seconds(90), 0));
}

}  // namespace
}  // namespace tmm::desk
