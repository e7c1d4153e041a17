// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/holds/hold_budget.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

class HoldBudgetTest : public testing::Test {
protected:
    // Returns the seconds of the time in which contributions were held by somebody who holds them whenever allowed.
    int held_of(int length_s, bool attended) {
        int held_s = 0;
        for (int i = 0; i < length_s; ++i) {
            now_ += seconds(1);
            held_ = budget_.step(attended, held_, now_);
            held_s += held_ ? 1 : 0;
        }
        return held_s;
    }

    HoldBudget budget_;
    AwakeTime now_{hours(1)};
    bool held_ = false;
};

TEST_F(HoldBudgetTest, WithSomebodyThereNothingIsBounded) {
    EXPECT_EQ(held_of(10'000, true), 10'000);
}

TEST_F(HoldBudgetTest, AnAbsenceHasAMinuteFirst) {
    held_of(100, true);
    EXPECT_NEAR(held_of(600, false), 60, 1);
}

TEST_F(HoldBudgetTest, ANightHasATenthAtMost) {
    const int night_s = 8 * 3600;
    const int held_s = held_of(night_s, false);
    EXPECT_LE(held_s, night_s / 10);
    EXPECT_GT(held_s, night_s / 12) << "a hold still shows whether it helps";
}

TEST_F(HoldBudgetTest, AHoldDoesNotBeginForAMoment) {
    held_of(61, false);
    EXPECT_EQ(held_of(598, false), 0) << "a tenth of a second of budget is no hold";
    EXPECT_GE(held_of(60, false), 58);
}

TEST_F(HoldBudgetTest, WhoComesBackIsProtectedAtOnce) {
    held_of(100, false);
    ASSERT_FALSE(held_);
    EXPECT_EQ(held_of(1, true), 1);
    EXPECT_NEAR(held_of(60, false), 60, 1) << "the next absence has its own budget";
}

TEST_F(HoldBudgetTest, TimeThatDidNotPassCostsNothing) {
    EXPECT_TRUE(budget_.step(false, true, now_));
    EXPECT_TRUE(budget_.step(false, true, now_));
    EXPECT_EQ(held_of(100, false), 60);
}

}  // namespace
}  // namespace tmm::core
