// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests of Giving: contributions are held for pressure, for a return and for swap in memory.
#include <gtest/gtest.h>

#include "tmmd/core/giving/giving_fixture.hpp"

namespace tmm::core {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

TEST_F(GivingTest, ContributionsAreFrozenWhileTheOwnersProgramsWait) {
    inputs_.contributions = true;
    inputs_.stall = 0.2;
    const GivingDecision decision = step();
    EXPECT_TRUE(decision.under_pressure);
    EXPECT_EQ(decision.reason.code, ReasonCode::pressure);
    EXPECT_DOUBLE_EQ(decision.reason.stall, 0.2);
    inputs_.stall = 0.15;
    expect_nothing_given(GivingKind::waiting);
    EXPECT_EQ(step().reason, decision.reason) << "the reason does not change each second";
    inputs_.stall = 0;
    pass(minutes(1));
    EXPECT_EQ(step().kind, GivingKind::giving);
    EXPECT_FALSE(step().under_pressure);
}

TEST_F(GivingTest, WhoIsHeldAnywayIsNotPressed) {
    inputs_.contributions = true;
    inputs_.stall = 0.2;
    giving_.apply(Pause{}, now_);
    EXPECT_FALSE(step().under_pressure);
    giving_.apply(Resume{}, now_);
    EXPECT_TRUE(step().under_pressure);
}

TEST_F(GivingTest, AnAlarmFreezesContributionsForAMoment) {
    inputs_.contributions = true;
    inputs_.signs = {.alarm = true, .opaque_only = true, .waited = Seconds(7)};
    const GivingDecision decision = step();
    EXPECT_EQ(decision.reason.code, ReasonCode::pressure);
    EXPECT_TRUE(decision.reason.for_a_moment);
    EXPECT_FALSE(decision.under_pressure) << "too short for a notice";
    EXPECT_TRUE(giving_.asks_for_waited());
    EXPECT_EQ(decision.kind, GivingKind::waiting);
    EXPECT_EQ(decision.hold, Hold::freeze);
    EXPECT_EQ(decision.transparent_limit, Pages(6'000)) << "no limit changes for a moment";
    inputs_.signs.alarm = false;
    EXPECT_EQ(step(), decision);
    pass(seconds(1));
    EXPECT_EQ(step().kind, GivingKind::giving);
    EXPECT_FALSE(giving_.asks_for_waited());
}

TEST_F(GivingTest, AClampBeginsNoSeriesOfHolds) {
    inputs_.contributions = true;
    inputs_.signs = {.alarm = true, .opaque_only = true, .waited = {}};
    ASSERT_TRUE(step().reason.for_a_moment);
    inputs_.signs.alarm = false;
    pass(seconds(1));
    ASSERT_EQ(step().kind, GivingKind::giving);
    inputs_.stall = 0.2;
    EXPECT_TRUE(step().under_pressure);
    inputs_.stall = 0;
    pass(minutes(1));
    EXPECT_EQ(step().kind, GivingKind::giving) << "a first hold has a minute";
}

// Else the time of the pause would count as one of holds, and use up those of the absence.
TEST_F(GivingTest, APauseIsNoHoldForPressure) {
    inputs_.contributions = true;
    idle_for_ = hours(1);
    const auto alarm = [&] {
        inputs_.signs = {.alarm = true, .opaque_only = true, .waited = {}};
        const GivingDecision decision = step();
        inputs_.signs.alarm = false;
        return decision;
    };
    ASSERT_EQ(alarm().hold, Hold::freeze);
    giving_.apply(Pause{}, now_);
    for (int i = 0; i < 30; ++i) {
        pass(minutes(1));
        ASSERT_EQ(step().kind, GivingKind::paused);
    }
    giving_.apply(Resume{}, now_);
    EXPECT_EQ(step().kind, GivingKind::giving);
    EXPECT_EQ(alarm().hold, Hold::freeze);
}

TEST_F(GivingTest, NoContributionOrNoMeasureOfPressureNoClamp) {
    inputs_.signs = {.alarm = true, .opaque_only = true, .waited = {}};
    EXPECT_EQ(step().kind, GivingKind::giving);
    inputs_.contributions = true;
    GivingParameters administrator;
    administrator.pressure.max_stall.reset();
    giving_.set_parameters(administrator);
    EXPECT_EQ(step().kind, GivingKind::giving);
}

TEST_F(GivingTest, WhoComesBackAndLacksMemoryGetsItFromHeldContributions) {
    inputs_.contributions = true;
    inputs_.decision.reason.need = Pages(3'500);
    inputs_.decision.opaque_wanted = Pages(4'000);
    inputs_.usage = MemoryUsage{.total = Pages(10'000), .opaque = Pages(2'500), .transparent = Pages(7'500)};
    idle_for_ = minutes(3);
    EXPECT_EQ(step().hold, Hold::none);
    idle_for_ = Seconds(0);
    const GivingDecision decision = step();
    EXPECT_EQ(decision.hold, Hold::freeze);
    EXPECT_EQ(decision.kind, GivingKind::waiting);
    EXPECT_EQ(decision.evict, Pages(1'000));
    EXPECT_EQ(decision.transparent_limit, Pages(6'000)) << "the policy's";
    EXPECT_EQ(decision.reason.code, ReasonCode::lack);
    EXPECT_EQ(decision.reason.lack, Pages(1'000));
    inputs_.evicting = true;
    EXPECT_EQ(step().evict, Pages(0));
    EXPECT_EQ(step().reason, decision.reason);
    inputs_.evicting = false;
    inputs_.usage = MemoryUsage{.total = Pages(10'000), .opaque = Pages(3'500), .transparent = Pages(6'500)};
    EXPECT_EQ(step().kind, GivingKind::giving);
}

// Swap on a device that hangs takes nothing, and a write to it never ends.
TEST_F(GivingTest, ARequestThatNeverEndsDoesNotHoldContributionsForEver) {
    inputs_.contributions = true;
    inputs_.decision.reason.need = Pages(3'500);
    inputs_.usage = MemoryUsage{.total = Pages(10'000), .opaque = Pages(2'500), .transparent = Pages(7'500)};
    idle_for_ = minutes(3);
    step();
    idle_for_ = Seconds(0);
    ASSERT_EQ(step().reason.code, ReasonCode::lack);
    inputs_.evicting = true;
    pass(ReturnRule::max_evicting - seconds(1));
    EXPECT_EQ(step().hold, Hold::freeze);
    pass(seconds(1));
    const GivingDecision decision = step();
    EXPECT_EQ(decision.kind, GivingKind::giving);
    EXPECT_EQ(decision.hold, Hold::none);
    EXPECT_EQ(decision.reason.code, ReasonCode::measured) << "what is in force now";
    EXPECT_TRUE(decision.evict_gave_up);
    EXPECT_FALSE(step().evict_gave_up) << "told once";
    EXPECT_EQ(step().hold, Hold::none);
}

// Owners whose own pages are on that device wait for it, too.
TEST_F(GivingTest, ARequestThatNeverEndsIsToldDuringAStallToo) {
    inputs_.contributions = true;
    inputs_.decision.opaque_wanted = Pages(4'000);
    inputs_.usage = MemoryUsage{.total = Pages(10'000), .opaque = Pages(2'500), .transparent = Pages(7'500)};
    inputs_.stall = 0.2;
    idle_for_ = Seconds(0);
    ASSERT_GT(step().evict, Pages(0));
    inputs_.evicting = true;
    int told = 0;
    for (int i = 0; i < 120; ++i) {
        pass(seconds(1));
        const GivingDecision decision = step();
        EXPECT_TRUE(decision.under_pressure) << "for its own time";
        told += decision.evict_gave_up ? 1 : 0;
    }
    EXPECT_EQ(told, 1);
}

TEST_F(GivingTest, WhoWaitsGetsMemoryFromHeldContributions) {
    inputs_.contributions = true;
    inputs_.decision.opaque_wanted = Pages(4'000);
    inputs_.usage = MemoryUsage{.total = Pages(10'000), .opaque = Pages(2'500), .transparent = Pages(7'500)};
    inputs_.signs = {.alarm = true, .opaque_only = true, .waited = {}};
    idle_for_ = hours(1);
    EXPECT_EQ(step().evict, Pages(0)) << "nobody is there";
    idle_for_ = Seconds(0);
    EXPECT_EQ(step().evict, Pages(1'500));
    EXPECT_TRUE(step().reason.for_a_moment) << "the stall is what the owner reads";
}

TEST_F(GivingTest, ALastingStallEvictsToo) {
    inputs_.contributions = true;
    inputs_.decision.opaque_wanted = Pages(4'000);
    inputs_.usage = MemoryUsage{.total = Pages(10'000), .opaque = Pages(2'500), .transparent = Pages(7'500)};
    inputs_.stall = 0.2;
    idle_for_ = Seconds(0);
    const GivingDecision decision = step();
    EXPECT_TRUE(decision.under_pressure);
    EXPECT_EQ(decision.evict, Pages(1'500));
}

// A job of the night that reads files waits for memory for hours, whatever contributions do.
TEST_F(GivingTest, WhatWaitsByNightDoesNotHoldContributionsForLong) {
    inputs_.contributions = true;
    const auto held_of_an_hour = [&](std::optional<Seconds> idle_for) {
        int held_s = 0;
        Seconds waited{0};
        for (int i = 0; i < 3600; ++i) {
            pass(seconds(1));
            // 12 % of each minute in a lump: each lump raises an alarm, and seconds between them are calm.
            const bool reads = i % 60 < 12;
            waited += Seconds(reads ? 0.6 : 0);
            inputs_.stall = 0.12;
            inputs_.signs = {.alarm = reads, .opaque_only = true, .waited = waited};
            idle_for_ = idle_for;
            held_s += step().hold != Hold::none ? 1 : 0;
        }
        return held_s;
    };
    EXPECT_LE(held_of_an_hour(hours(2)), 60 + 360);
    EXPECT_GE(held_of_an_hour(Seconds(0)), 1800) << "somebody is there, who feels it";
    EXPECT_LE(held_of_an_hour(hours(2)), 60 + 360);
}

TEST_F(GivingTest, WhereNothingTellsOfPeopleSomebodyIsThere) {
    inputs_.contributions = true;
    idle_for_.reset();
    inputs_.stall = 0.5;
    for (int i = 0; i < 600; ++i) {
        EXPECT_EQ(step().hold, Hold::freeze) << i;
        pass(seconds(1));
    }
}

TEST_F(GivingTest, TheAdministratorSaysWhatIsPressure) {
    GivingParameters administrator;
    administrator.pressure.max_stall = 0.3;
    giving_.set_parameters(administrator);
    inputs_.contributions = true;
    inputs_.stall = 0.2;
    EXPECT_FALSE(step().under_pressure);
}

TEST_F(GivingTest, ContributionsAreFrozenWhenTheirSwapTakesTheOwnersMemory) {
    inputs_.contributions = true;
    inputs_.decision.opaque_wanted = Pages(4'000);
    inputs_.swap = {.taken = Pages(1'000), .stored = Pages(2'000)};
    inputs_.usage = MemoryUsage{.total = Pages(9'000)};
    EXPECT_EQ(step().hold, Hold::none);
    inputs_.swap = {.taken = Pages(6'000), .stored = Pages(12'000)};
    inputs_.usage = MemoryUsage{.total = Pages(4'000)};
    expect_nothing_given(GivingKind::waiting);
    EXPECT_EQ(step().reason.code, ReasonCode::compressed_swap);
    EXPECT_EQ(step().reason.swap, Pages(6'000));
    inputs_.contributions = false;
    EXPECT_EQ(step().hold, Hold::none);
}

TEST_F(GivingTest, ContributionsGetWhatEvictingTheOwnersExcessFrees) {
    inputs_.contributions = true;
    inputs_.decision.opaque_wanted = Pages(4'000);
    const GivingDecision all = step();
    inputs_.usage =
        MemoryUsage{.total = inputs_.total, .opaque = inputs_.total - inputs_.total / 25 - Pages(100), .transparent = Pages(0)};
    inputs_.swap = {.taken = Pages(1'000), .stored = Pages(1'000)};
    inputs_.files = Pages(700);
    const GivingDecision given = step();
    EXPECT_EQ(given.transparent_limit, Pages(100)) << "nothing compresses, so what is free but 4 %";
    EXPECT_EQ(given.reason.allowed, Pages(100)) << "as people are told";
    EXPECT_EQ(given.opaque_limit, all.opaque_limit);
    EXPECT_GT(all.transparent_limit, Pages(100));
    EXPECT_EQ(given.swap_growth, Pages(100));
    EXPECT_FALSE(given.evicting_frees);
    EXPECT_TRUE(all.evicting_frees);
    EXPECT_EQ(all.swap_growth, std::nullopt) << "no swap in memory";
    giving_.apply(Pause{}, now_);
    EXPECT_EQ(step().swap_growth, Pages(100)) << "in a pause, too";
}

}  // namespace
}  // namespace tmm::core
