// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/holds/return_rule.hpp"

#include <gtest/gtest.h>

#include "tmmd/core/presence.hpp"

namespace tmm::core {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Pages whole_machine(6400);  // 100 pages are worth a hold

class ReturnRuleTest : public testing::Test {
protected:
    ReturnRuleTest() {
        inputs_.contributions = true;
        inputs_.need = Pages(3000);
        inputs_.wanted = Pages(3320);
        use(2000, 4400);
    }
    void use(std::uint64_t opaque, std::uint64_t transparent) {
        inputs_.usage = MemoryUsage{.total = whole_machine, .opaque = Pages(opaque), .transparent = Pages(transparent)};
    }
    ReturnAction step() {
        now_ += seconds(1);
        const Presence presence = people_.step(idle_for_, minutes(5), now_);
        inputs_.returning = presence.idle_for && presence.returning;
        return rule_.step(inputs_, now_);
    }
    // Somebody comes back from a break of that length.
    ReturnAction come_back(Seconds away = minutes(10)) {
        idle_for_ = away;
        step();
        idle_for_ = Seconds(0);
        return step();
    }
    // Returns the seconds until contributions go on.
    int held_for() {
        int count = 0;
        while (count < 1000 && step().hold)
            ++count;
        return count;
    }

    std::optional<Seconds> idle_for_ = Seconds(0);
    PresenceWatch people_;
    ReturnRule rule_;
    ReturnInputs inputs_;
    AwakeTime now_{hours(1)};
};

TEST_F(ReturnRuleTest, WhoLacksMemoryGetsItInOneRequest) {
    EXPECT_EQ(come_back(), (ReturnAction{.hold = true, .evict = Pages(1000), .lack = Pages(1000)}));
    inputs_.evicting = true;
    EXPECT_EQ(step(), (ReturnAction{.hold = true, .evict = Pages(0), .lack = Pages(1000)})) << "no second request";
}

TEST_F(ReturnRuleTest, WhereNothingIsLackingNothingHappens) {
    use(3000, 3400);
    EXPECT_EQ(come_back(), ReturnAction());
    use(2000, 3400);
    EXPECT_EQ(step(), ReturnAction()) << "the rest is free";
    use(2950, 3450);
    EXPECT_EQ(step(), ReturnAction()) << "so little is found at once";
}

TEST_F(ReturnRuleTest, OnlyAReturnOrPressureCounts) {
    EXPECT_EQ(step(), ReturnAction()) << "nobody was away";
    EXPECT_FALSE(come_back(seconds(119)).hold) << "no break";
    idle_for_ = hours(1);
    EXPECT_EQ(step(), ReturnAction()) << "nobody is there";
    idle_for_.reset();
    EXPECT_EQ(step(), ReturnAction()) << "nobody can tell";
}

TEST_F(ReturnRuleTest, AReturnLastsAMinute) {
    use(3000, 3400);
    come_back();
    for (int i = 0; i < 59; ++i)
        EXPECT_FALSE(step().hold);
    use(2000, 4400);
    EXPECT_FALSE(step().hold);
    use(3000, 3400);
    come_back();
    step();
    use(2000, 4400);
    EXPECT_TRUE(step().hold) << "memory that is wanted in this minute counts, too";
}

TEST_F(ReturnRuleTest, WhoWaitsGetsTheMarginToo) {
    inputs_.pressed = true;
    EXPECT_EQ(step().evict, Pages(1320));
}

TEST_F(ReturnRuleTest, ContributionsGoOnWhenTheOwnerHasTheMemory) {
    ASSERT_TRUE(come_back().hold);
    inputs_.evicting = true;
    EXPECT_TRUE(step().hold);
    use(2300, 3400);
    inputs_.evicting = false;
    EXPECT_TRUE(step().hold);
    use(2900, 3400);
    EXPECT_FALSE(step().hold);
    EXPECT_FALSE(step().hold);
}

TEST_F(ReturnRuleTest, OrDoesNotWantIt) {
    ASSERT_TRUE(come_back().hold);
    use(2000, 3400);
    EXPECT_EQ(held_for(), 2);
    for (int i = 0; i < 57; ++i)
        EXPECT_FALSE(step().hold) << "the need was too high: once in a return";
}

TEST_F(ReturnRuleTest, WhoTakesItOrWaitsHasFifteenSeconds) {
    ASSERT_TRUE(come_back().hold);
    for (std::uint64_t opaque = 2010; opaque < 2160; opaque += 10) {
        use(opaque, 3400);
        EXPECT_TRUE(step().hold) << opaque;
    }
    EXPECT_FALSE(step().hold);
    use(2000, 4400);
    ReturnRule other;
    inputs_.pressed = true;
    ASSERT_TRUE(other.step(inputs_, now_).hold);
    use(2000, 3000);
    for (int i = 0; i < 15; ++i)
        EXPECT_TRUE(other.step(inputs_, now_ += seconds(1)).hold) << i;
    EXPECT_FALSE(other.step(inputs_, now_ += seconds(1)).hold);
}

TEST_F(ReturnRuleTest, ALongRequestIsWaitedFor) {
    ASSERT_TRUE(come_back().hold);
    inputs_.evicting = true;
    for (int i = 0; i < 59; ++i)
        EXPECT_TRUE(step().hold) << "never from a running contribution";
    inputs_.evicting = false;
    use(2000, 3400);
    EXPECT_TRUE(step().hold) << "the owner has time to take it";
}

// As with swap on a device that hangs.
TEST_F(ReturnRuleTest, ARequestThatNeverEndsHoldsContributionsForAMinute) {
    ASSERT_TRUE(come_back().hold);
    inputs_.evicting = true;
    for (int i = 0; i < 59; ++i)
        EXPECT_EQ(step(), (ReturnAction{.hold = true, .evict = Pages(0), .lack = Pages(1000)})) << i;
    EXPECT_EQ(step(), (ReturnAction{.gave_up = true}));
    inputs_.pressed = true;
    for (int i = 0; i < 1000; ++i)
        EXPECT_EQ(step(), ReturnAction()) << i << ": another request would hang, too";
    inputs_.evicting = false;
    EXPECT_TRUE(step().hold) << "the device is back";
}

TEST_F(ReturnRuleTest, AWithdrawnRequestIsNotRepeatedSoon) {
    ASSERT_TRUE(come_back().hold);
    inputs_.evicting = true;
    EXPECT_EQ(held_for(), 59);
    inputs_.evicting = false;
    inputs_.pressed = true;
    for (int i = 0; i < 299; ++i)
        EXPECT_FALSE(step().hold) << i;
    EXPECT_TRUE(step().hold);
}

TEST_F(ReturnRuleTest, WhileAnotherRequestIsUnderWayNoneBegins) {
    inputs_.evicting = true;
    EXPECT_EQ(come_back(), ReturnAction());
    inputs_.evicting = false;
    EXPECT_TRUE(step().hold);
}

TEST_F(ReturnRuleTest, ARequestInVainIsNotRepeatedSoon) {
    ASSERT_TRUE(come_back().hold);
    EXPECT_EQ(held_for(), 0) << "a hold would not help";
    inputs_.pressed = true;
    for (int i = 0; i < 299; ++i)
        EXPECT_FALSE(step().hold) << i;
    EXPECT_TRUE(step().hold);
}

TEST_F(ReturnRuleTest, ItTakesNoMoreThanContributionsHave) {
    use(2000, 300);
    inputs_.usage->total = Pages(2300);
    EXPECT_EQ(come_back().evict, Pages(300));
    use(0, 0);
    inputs_.usage->total = Pages(0);
    ReturnRule fresh;
    inputs_.pressed = true;
    EXPECT_FALSE(fresh.step(inputs_, now_).hold);
}

TEST_F(ReturnRuleTest, WhatIsNotKnownBeginsNothing) {
    inputs_.need = inputs_.wanted = Pages(0);
    EXPECT_FALSE(come_back().hold);
    inputs_.need = Pages(3000);
    inputs_.usage.reset();
    EXPECT_FALSE(step().hold);
    inputs_.contributions = false;
    use(2000, 4400);
    EXPECT_FALSE(step().hold);
    inputs_.contributions = true;
    EXPECT_TRUE(step().hold);
}

}  // namespace
}  // namespace tmm::core
