// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/holds/pressure_rule.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

class PressureRuleTest : public testing::Test {
protected:
    bool step(std::optional<double> stall) { return rule_.step(stall, contributions_, may_hold_, now_); }

    // Returns the seconds until the answer is no, with one step a second.
    int held_for(std::optional<double> stall) {
        int count = 0;
        while (count < 10'000 && step(stall)) {
            now_ += seconds(1);
            ++count;
        }
        return count;
    }

    PressureRule rule_;
    AwakeTime now_{hours(1)};
    bool contributions_ = true;
    bool may_hold_ = true;
    PressureParameters never_{.max_stall = std::nullopt, .min_hold = minutes(1), .max_hold = minutes(30)};
};

TEST_F(PressureRuleTest, WhoDoesNotWaitIsLeftAlone) {
    EXPECT_FALSE(step(0.0));
    EXPECT_FALSE(step(0.099));
    EXPECT_FALSE(step(std::nullopt));
}

TEST_F(PressureRuleTest, AHoldLastsAMinuteThoughTheWaitingIsOver) {
    ASSERT_TRUE(step(0.10));
    EXPECT_DOUBLE_EQ(rule_.stall(), 0.10);
    EXPECT_EQ(held_for(0.0), 60);
}

TEST_F(PressureRuleTest, AHoldLastsAsLongAsOpaqueTasksWait) {
    ASSERT_TRUE(step(0.3));
    now_ += minutes(7);
    EXPECT_TRUE(step(0.2));
    EXPECT_DOUBLE_EQ(rule_.stall(), 0.3) << "the stall at the beginning";
    EXPECT_FALSE(step(0.0));
}

TEST_F(PressureRuleTest, WhatCannotBeMeasuredEndsAHold) {
    ASSERT_TRUE(step(0.3));
    EXPECT_EQ(held_for(std::nullopt), 60);
}

TEST_F(PressureRuleTest, EachOfASeriesIsTwiceAsLongUpToTheLongest) {
    for (const int expected : {60, 120, 240, 480, 960, 1800, 1800}) {
        ASSERT_TRUE(step(0.5));
        EXPECT_EQ(held_for(0.0), expected);
        now_ += minutes(1);
    }
    now_ += minutes(30);
    ASSERT_TRUE(step(0.5));
    EXPECT_EQ(held_for(0.0), 60) << "a new series";
}

TEST_F(PressureRuleTest, WhatDoesNotHelpIsNotTriedAgainBeforeTheWaitingIsOver) {
    EXPECT_EQ(held_for(0.5), 1800);
    now_ += hours(2);
    EXPECT_FALSE(step(0.5));
    EXPECT_FALSE(step(0.09));
    EXPECT_TRUE(step(0.5));
}

TEST_F(PressureRuleTest, WithoutContributionsNoneBegins) {
    contributions_ = false;
    EXPECT_FALSE(step(0.9));
    contributions_ = true;
    EXPECT_TRUE(step(0.9));
    contributions_ = false;
    now_ += seconds(1);
    EXPECT_TRUE(step(0.9)) << "a contribution that starts meanwhile would disturb the owner";
}

TEST_F(PressureRuleTest, AHoldEndsAtOnceWhenItMayNotBe) {
    may_hold_ = false;
    EXPECT_FALSE(step(0.9));
    may_hold_ = true;
    ASSERT_TRUE(step(0.9));
    now_ += seconds(20);
    may_hold_ = false;
    EXPECT_FALSE(step(0.9));
    may_hold_ = true;
    EXPECT_TRUE(step(0.9)) << "the cause is not known to lie elsewhere";
    EXPECT_EQ(held_for(0.0), 60) << "at least the shortest";
}

TEST_F(PressureRuleTest, CanBeTurnedOff) {
    rule_.set_parameters(never_);
    EXPECT_FALSE(step(1.0));
    rule_.set_parameters({});
    ASSERT_TRUE(step(1.0));
    rule_.set_parameters(never_);
    now_ += minutes(1);
    EXPECT_FALSE(step(1.0)) << "also during a hold";
}

}  // namespace
}  // namespace tmm::core
