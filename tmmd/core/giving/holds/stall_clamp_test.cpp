// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/holds/stall_clamp.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

class StallClampTest : public testing::Test {
protected:
    // Time passes, in which opaque tasks wait for a share of it.
    bool pass(nanoseconds time, double stall, bool alarm = false) {
        now_ += time;
        waited_ += stall * Seconds(time);
        return step(alarm);
    }
    bool step(bool alarm) {
        signs_.alarm = alarm;
        signs_.waited = known_ ? std::optional(waited_) : std::nullopt;
        return clamp_.step(signs_, 0.10, may_hold_, now_);
    }
    // Returns the seconds until the answer is no, with a step a second.
    int clamped_for(double stall) {
        int count = 0;
        while (count < 1000 && pass(seconds(1), stall))
            ++count;
        return count;
    }

    StallClamp clamp_;
    StallSigns signs_{.alarm = false, .opaque_only = true, .waited = {}};
    Seconds waited_{0};
    AwakeTime now_{hours(1)};
    bool known_ = true;
    bool may_hold_ = true;
};

TEST_F(StallClampTest, AMachineThatIsWellIsLeftAlone) {
    EXPECT_EQ(clamped_for(0), 0);
    EXPECT_FALSE(pass(seconds(1), 0.5)) << "PressureRule goes by the measure; a clamp by the alarm";
    EXPECT_FALSE(clamp_.asks_for_waited());
}

TEST_F(StallClampTest, AnAlarmClampsAtOnceAndACalmSecondEndsIt) {
    EXPECT_TRUE(step(true));
    EXPECT_TRUE(clamp_.asks_for_waited());
    EXPECT_TRUE(pass(milliseconds(400), 1)) << "the next tick is not a second away";
    EXPECT_TRUE(pass(milliseconds(700), 0.5));
    EXPECT_TRUE(pass(milliseconds(900), 0)) << "less than a second says nothing";
    EXPECT_FALSE(pass(milliseconds(100), 0));
    EXPECT_FALSE(clamp_.asks_for_waited());
}

TEST_F(StallClampTest, TheTimeBeforeIsNotHeldAgainstTheClamp) {
    signs_.opaque_only = false;
    pass(seconds(1), 0);
    pass(milliseconds(200), 1, true);
    EXPECT_FALSE(pass(seconds(1), 0.01));
}

TEST_F(StallClampTest, AContributionsOwnWaitingDoesNotCount) {
    signs_.opaque_only = false;
    pass(seconds(1), 0);
    EXPECT_FALSE(pass(milliseconds(500), 0, true));
    EXPECT_FALSE(pass(milliseconds(500), 0.09, true));
    EXPECT_TRUE(pass(milliseconds(500), 0.2, true)) << "50 ms since the tick: as much as the alarm takes";
}

TEST_F(StallClampTest, WithoutAMeasureTheMachinesAlarmMayBeAContributions) {
    signs_.opaque_only = false;
    EXPECT_FALSE(pass(seconds(1), 1, true)) << "nothing to compare with";
    known_ = false;
    EXPECT_FALSE(pass(seconds(1), 1, true));
}

TEST_F(StallClampTest, WithoutAMeasureAClampIsShort) {
    known_ = false;
    EXPECT_TRUE(step(true));
    EXPECT_TRUE(pass(milliseconds(999), 1));
    EXPECT_FALSE(pass(milliseconds(1), 1));
}

TEST_F(StallClampTest, EachOfASeriesIsTwiceAsLong) {
    for (const int expected : {0, 1, 3, 7, 15, 29, 29}) {
        ASSERT_TRUE(step(true));
        EXPECT_EQ(clamped_for(0), expected);
        now_ += seconds(59);
    }
    now_ += seconds(1);
    ASSERT_TRUE(step(true));
    EXPECT_EQ(clamped_for(0), 0) << "a new series";
}

TEST_F(StallClampTest, AClampThatDoesNotHelpEndsAndWaitsForACalmSecond) {
    ASSERT_TRUE(step(true));
    EXPECT_EQ(clamped_for(0.5), 29);
    EXPECT_TRUE(clamp_.asks_for_waited());
    EXPECT_FALSE(pass(seconds(1), 0.5, true));
    EXPECT_FALSE(pass(seconds(1), 0.11, true));
    EXPECT_FALSE(pass(seconds(1), 0.0)) << "a calm second";
    EXPECT_TRUE(pass(milliseconds(200), 1, true));
}

TEST_F(StallClampTest, FurtherAlarmsDoNotLengthenIt) {
    ASSERT_TRUE(step(true));
    for (int i = 0; i < 59; ++i)
        EXPECT_TRUE(pass(milliseconds(500), 1, true)) << i;
    EXPECT_FALSE(pass(milliseconds(500), 1, true));
}

TEST_F(StallClampTest, NoneBeginsOrGoesOnAgainstTheRules) {
    may_hold_ = false;
    EXPECT_FALSE(step(true));
    may_hold_ = true;
    EXPECT_TRUE(step(true));
    may_hold_ = false;
    EXPECT_FALSE(step(false));
}

}  // namespace
}  // namespace tmm::core
