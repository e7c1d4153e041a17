// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/read_back_rule.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Pages all_memory(6400);  // 100 pages are worth a request to evict

class ReadBackRuleTest : public testing::Test {
protected:
    ReadBackRuleTest() {
        inputs_.latency = Seconds(0.002);  // 500 pages are worth an order
        use(4000, 2000);
    }
    void use(std::uint64_t opaque, std::uint64_t transparent) {
        inputs_.usage = MemoryUsage{.total = all_memory, .opaque = Pages(opaque), .transparent = Pages(transparent)};
    }
    ReadBackAction step() { return rule_.step(inputs_, now_ += seconds(1)); }
    // Somebody leaves; the kernel evicts; somebody comes back.
    ReadBackAction break_with(const Swapped& before, const Swapped& after, Seconds away = minutes(10)) {
        inputs_.idle_for = Seconds(0);
        step();
        inputs_.idle_for = away;
        inputs_.swapped = before;
        step();
        inputs_.idle_for = Seconds(0);
        inputs_.swapped = after;
        return step();
    }
    void begin() {
        ASSERT_FALSE(break_with({{"a", Pages(0)}}, {{"a", Pages(1000)}}).read.empty());
        inputs_.reading = true;
    }

    ReadBackRule rule_;
    ReadBackInputs inputs_;
    AwakeTime now_{hours(1)};
};

TEST_F(ReadBackRuleTest, WhatTheBreakCostIsReadBack) {
    const ReadBackAction action =
        break_with({{"a", Pages(100)}, {"b", Pages(50)}, {"c", Pages(7)}, {"d", Pages(9)}},
                   {{"a", Pages(300)}, {"b", Pages(1050)}, {"c", Pages(7)}, {"d", Pages(3)}, {"new", Pages(999)}});
    EXPECT_EQ(action, (ReadBackAction{.read = {{"b", Pages(1000)}, {"a", Pages(200)}}, .stop = false, .evict = Pages(0)}))
        << "the largest loss first; not what was in swap before, nor a cgroup that nobody used before";
    EXPECT_EQ(step(), ReadBackAction()) << "one order a return";
}

TEST_F(ReadBackRuleTest, ALossThatNobodyNoticesStays) {
    EXPECT_EQ(break_with({{"a", Pages(0)}}, {{"a", Pages(499)}}), ReadBackAction());
    EXPECT_FALSE(break_with({{"a", Pages(0)}}, {{"a", Pages(500)}}).read.empty()) << "a second of waiting";
}

TEST_F(ReadBackRuleTest, AFastStoreIsLeftAlone) {
    inputs_.latency = Seconds(0.000007);
    EXPECT_EQ(break_with({{"a", Pages(0)}}, {{"a", Pages(10'000'000)}}), ReadBackAction());
}

TEST_F(ReadBackRuleTest, AnUnmeasuredStoreWaitsForTheFirstReads) {
    inputs_.latency.reset();
    EXPECT_EQ(break_with({{"a", Pages(0)}}, {{"a", Pages(1000)}}), ReadBackAction());
    inputs_.latency = Seconds(0.002);
    EXPECT_FALSE(step().read.empty());
}

TEST_F(ReadBackRuleTest, TheFirstMinuteBeginsAnOrderOrNone) {
    inputs_.latency.reset();
    EXPECT_EQ(break_with({{"a", Pages(0)}}, {{"a", Pages(1000)}}), ReadBackAction());
    now_ += seconds(60);
    inputs_.latency = Seconds(0.002);
    EXPECT_EQ(step(), ReadBackAction());
}

TEST_F(ReadBackRuleTest, AShortAbsenceIsNoBreak) {
    EXPECT_EQ(break_with({{"a", Pages(0)}}, {{"a", Pages(1000)}}, seconds(119)), ReadBackAction());
}

TEST_F(ReadBackRuleTest, WhereNothingTellsOfPeopleNothingIsRead) {
    inputs_.swapped = Swapped{{"a", Pages(0)}};
    EXPECT_EQ(step(), ReadBackAction());
    inputs_.swapped = Swapped{{"a", Pages(1000)}};
    EXPECT_EQ(step(), ReadBackAction());
}

TEST_F(ReadBackRuleTest, UnreadableCountersAreNoOrder) {
    inputs_.idle_for = minutes(10);
    step();
    inputs_.idle_for = Seconds(0);
    inputs_.swapped = Swapped{{"a", Pages(1000)}};
    EXPECT_EQ(step(), ReadBackAction()) << "not known at the begin of the break";
}

TEST_F(ReadBackRuleTest, ManyCgroupsAreBounded) {
    Swapped before;
    Swapped after;
    for (int i = 0; i < 100; ++i) {
        before[std::to_string(i)] = Pages(0);
        after[std::to_string(i)] = Pages(1000 + i);
    }
    const auto action = break_with(before, after);
    ASSERT_EQ(action.read.size(), ReadBackRule::max_cgroups);
    EXPECT_EQ(action.read.front(), (ReadBackShare{"99", Pages(1099)}));
}

TEST_F(ReadBackRuleTest, AnOrderEndsWhenTheOwnerLeavesAgain) {
    begin();
    inputs_.idle_for = seconds(119);
    EXPECT_EQ(step(), ReadBackAction());
    inputs_.idle_for = seconds(120);
    EXPECT_TRUE(step().stop);
    EXPECT_EQ(step(), ReadBackAction()) << "once";
}

TEST_F(ReadBackRuleTest, AnOrderEndsAfterThreeMinutes) {
    begin();
    int count = 0;
    while (count < 1000 && !step().stop)
        ++count;
    EXPECT_EQ(count, 179);
}

TEST_F(ReadBackRuleTest, AnOrderEndsWhenNothingIsLeft) {
    begin();
    inputs_.reading = false;
    EXPECT_EQ(step(), ReadBackAction());
    EXPECT_FALSE(rule_.asks_for_usage());
    inputs_.reading = true;
    now_ += hours(1);
    EXPECT_EQ(step(), ReadBackAction()) << "nothing to stop";
}

TEST_F(ReadBackRuleTest, ContributionsThatStandStillMakeRoomOnce) {
    begin();
    use(3000, 3200);
    EXPECT_EQ(step().evict, Pages(0)) << "they run";
    inputs_.held = true;
    inputs_.evicting = true;
    EXPECT_EQ(step().evict, Pages(0)) << "a request is under way";
    inputs_.evicting = false;
    EXPECT_EQ(step().evict, Pages(800)) << "1000, of which 200 are free";
    EXPECT_EQ(step().evict, Pages(0)) << "once";
}

TEST_F(ReadBackRuleTest, LittleRoomIsNotWorthARequest) {
    begin();
    inputs_.held = true;
    use(3000, 2499);
    EXPECT_EQ(step().evict, Pages(0)) << "99 pages are lacking";
    use(6000, 99);
    EXPECT_EQ(step().evict, Pages(0)) << "contributions have no more";
    inputs_.usage.reset();
    EXPECT_EQ(step().evict, Pages(0)) << "not known";
    use(3000, 2500);
    EXPECT_EQ(step().evict, Pages(100));
}

TEST_F(ReadBackRuleTest, CostlyInputsAreReadWhenTheyCount) {
    EXPECT_FALSE(rule_.asks_for_swapped(std::nullopt));
    EXPECT_FALSE(rule_.asks_for_swapped(Seconds(0))) << "nobody left";
    EXPECT_TRUE(rule_.asks_for_swapped(minutes(2))) << "the break begins";
    inputs_.idle_for = minutes(2);
    inputs_.swapped = Swapped{{"a", Pages(0)}};
    step();
    EXPECT_FALSE(rule_.asks_for_swapped(minutes(3)));
    EXPECT_TRUE(rule_.asks_for_swapped(Seconds(0))) << "the return";
    inputs_.idle_for = Seconds(0);
    inputs_.swapped = Swapped{{"a", Pages(1000)}};
    EXPECT_FALSE(rule_.asks_for_usage());
    EXPECT_FALSE(step().read.empty());
    EXPECT_FALSE(rule_.asks_for_swapped(Seconds(0)));
    EXPECT_TRUE(rule_.asks_for_usage());
}

}  // namespace
}  // namespace tmm::core
