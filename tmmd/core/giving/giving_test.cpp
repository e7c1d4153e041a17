// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/giving.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::uint64_t megabyte = 1 << 20;

Reason policys_reason() {
    Reason reason;
    reason.code = ReasonCode::measured;
    reason.total = Pages(10'000);
    reason.opaque_limit = Pages(4'000);
    reason.allowed = Pages(6'000);
    return reason;
}

class GivingTest : public testing::Test {
protected:
    GivingTest() {
        inputs_.total = Pages(10'000);
        inputs_.page_bytes = Bytes(4096);
        inputs_.decision.kind = DecisionKind::measured;
        inputs_.decision.opaque_limit = Pages(4'000);
        inputs_.decision.transparent_limit = Pages(6'000);
        inputs_.decision.reason = policys_reason();
        now_.elapsed = ElapsedTime(hours(10));
        now_.awake = AwakeTime(hours(3));
        now_.wall = WallTime(hours(24 * 20'000));
        now_.local_minute = 12 * 60;
    }

    GivingDecision step() { return giving_.step(inputs_, now_); }

    // Lets time pass while the machine is awake.
    void pass(std::chrono::nanoseconds time) {
        now_.awake += time;
        sleep_for(time);
    }
    void sleep_for(std::chrono::nanoseconds time) {
        now_.elapsed += time;
        now_.wall += std::chrono::duration_cast<std::chrono::microseconds>(time);
    }

    void expect_nothing_given(GivingKind kind) {
        const GivingDecision decision = step();
        EXPECT_EQ(decision.kind, kind);
        EXPECT_EQ(decision.hold, kind == GivingKind::waiting ? Hold::freeze : Hold::evict);
        EXPECT_EQ(decision.opaque_limit, Pages(10'000));
        EXPECT_EQ(decision.transparent_limit, Pages(0));
    }

    GivingInputs inputs_;
    Moment now_;
    Giving giving_;
};

TEST_F(GivingTest, WithoutAWordOfTheOwnerThePolicyDecides) {
    const GivingDecision decision = step();
    EXPECT_EQ(decision.kind, GivingKind::giving);
    EXPECT_EQ(decision.hold, Hold::none);
    EXPECT_EQ(decision.opaque_limit, Pages(4'000));
    EXPECT_EQ(decision.transparent_limit, Pages(6'000));
    EXPECT_EQ(decision.reason, policys_reason());
}

TEST_F(GivingTest, APolicyWithNothingToGiveIsWaitedForWhileContributionsUseWhatIsFree) {
    inputs_.decision.opaque_limit = Pages(10'000);
    inputs_.decision.transparent_limit = Pages(0);
    const GivingDecision decision = step();
    EXPECT_EQ(decision.kind, GivingKind::waiting);
    EXPECT_EQ(decision.hold, Hold::none);
    EXPECT_EQ(decision.reason, policys_reason());
}

TEST_F(GivingTest, OffIsOffUntilItIsOn) {
    giving_.apply(Switch{false}, now_);
    expect_nothing_given(GivingKind::off);
    giving_.apply(Resume{}, now_);
    pass(hours(24 * 365));
    expect_nothing_given(GivingKind::off);
    giving_.apply(Switch{true}, now_);
    EXPECT_EQ(step().kind, GivingKind::giving);
}

TEST_F(GivingTest, APauseEndsByItself) {
    giving_.apply(Pause{minutes(30)}, now_);
    expect_nothing_given(GivingKind::paused);
    pass(minutes(30) - seconds(1));
    expect_nothing_given(GivingKind::paused);
    pass(seconds(1));
    EXPECT_EQ(step().kind, GivingKind::giving);
}

TEST_F(GivingTest, APauseEndsWhenResumed) {
    giving_.apply(Pause{minutes(30)}, now_);
    giving_.apply(Resume{}, now_);
    EXPECT_EQ(step().kind, GivingKind::giving);
}

TEST_F(GivingTest, APauseWithoutALengthLastsUntilResumed) {
    giving_.apply(Pause{}, now_);
    pass(hours(24 * 1000));
    expect_nothing_given(GivingKind::paused);
    giving_.apply(Resume{}, now_);
    EXPECT_EQ(step().kind, GivingKind::giving);
}

TEST_F(GivingTest, TheLatestPauseCounts) {
    giving_.apply(Pause{hours(8)}, now_);
    giving_.apply(Pause{minutes(1)}, now_);
    pass(minutes(1));
    EXPECT_EQ(step().kind, GivingKind::giving);
}

TEST_F(GivingTest, APauseOfNoTimeIsNone) {
    giving_.apply(Pause{seconds(0)}, now_);
    EXPECT_EQ(step().kind, GivingKind::giving);
    giving_.apply(Pause{seconds(-5)}, now_);
    EXPECT_EQ(step().kind, GivingKind::giving);
}

TEST_F(GivingTest, AVeryLongPauseIsAYear) {
    giving_.apply(Pause{std::chrono::nanoseconds::max()}, now_);
    pass(max_pause - seconds(1));
    expect_nothing_given(GivingKind::paused);
    pass(seconds(1));
    EXPECT_EQ(step().kind, GivingKind::giving);
}

TEST_F(GivingTest, APauseGoesOnWhileTheMachineSleeps) {
    giving_.apply(Pause{minutes(30)}, now_);
    sleep_for(minutes(29));
    expect_nothing_given(GivingKind::paused);
    sleep_for(hours(8));
    EXPECT_EQ(step().kind, GivingKind::giving) << "after a night of sleep, the pause of half an hour is over";
}

TEST_F(GivingTest, AClockThatIsSetChangesNoPause) {
    giving_.apply(Pause{minutes(30)}, now_);
    now_.wall += hours(24);
    expect_nothing_given(GivingKind::paused);
    now_.wall -= hours(24 * 400);
    pass(minutes(30));
    EXPECT_EQ(step().kind, GivingKind::giving);
}

TEST_F(GivingTest, ThePausesEndIsToldInWallTimeAsItIsNow) {
    EXPECT_EQ(giving_.settings(now_).paused_until, std::nullopt);
    giving_.apply(Pause{minutes(30)}, now_);
    EXPECT_EQ(giving_.settings(now_).paused_until, now_.wall + minutes(30));
    now_.wall += hours(1);
    EXPECT_EQ(giving_.settings(now_).paused_until, now_.wall + minutes(30));
    giving_.apply(Pause{}, now_);
    EXPECT_TRUE(giving_.settings(now_).paused);
    EXPECT_EQ(giving_.settings(now_).paused_until, std::nullopt);
}

TEST_F(GivingTest, ARestartKeepsTheWill) {
    giving_.apply(ChangeCaps{{.max_bytes = Bytes(5 * megabyte),
                              .max_percent = {},
                              .only_when_idle = true,
                              .only_on_mains = {},
                              .quiet_hours = {}}},
                  now_);
    giving_.apply(Switch{false}, now_);
    giving_.apply(Pause{minutes(30)}, now_);
    const Settings settings = giving_.settings(now_);
    // Another boot: the monotonic clocks start anew.
    now_.elapsed = ElapsedTime(seconds(20));
    now_.awake = AwakeTime(seconds(20));
    now_.wall += minutes(10);
    Giving again;
    again.restore(settings, now_);
    EXPECT_EQ(again.settings(now_), settings);
    now_.elapsed += minutes(20);
    now_.wall += minutes(20);
    again.apply(Switch{true}, now_);
    CapsChange none;
    none.max_bytes.emplace();
    none.only_when_idle = false;
    again.apply(ChangeCaps{none}, now_);
    EXPECT_EQ(again.step(inputs_, now_).kind, GivingKind::giving);
}

TEST_F(GivingTest, APauseThatEndedMeanwhileIsOver) {
    giving_.apply(Pause{minutes(30)}, now_);
    const Settings settings = giving_.settings(now_);
    now_.wall += minutes(30);
    Giving again;
    again.restore(settings, now_);
    EXPECT_FALSE(again.settings(now_).paused);
}

TEST_F(GivingTest, AClockSetBackDuringARestartMakesNoPauseLonger) {
    giving_.apply(Pause{minutes(30)}, now_);
    const Settings settings = giving_.settings(now_);
    now_.wall = WallTime(seconds(0));  // a machine without a battery for its clock
    Giving again;
    again.restore(settings, now_);
    now_.elapsed += minutes(30);
    EXPECT_EQ(again.step(inputs_, now_).kind, GivingKind::giving);
}

TEST_F(GivingTest, ARestoredPauseWithoutALengthLasts) {
    giving_.apply(Pause{}, now_);
    Giving again;
    again.restore(giving_.settings(now_), now_);
    now_.elapsed += hours(10'000);
    EXPECT_EQ(again.step(inputs_, now_).kind, GivingKind::paused);
}

TEST_F(GivingTest, RestoringReplacesWhatWasSaid) {
    giving_.apply(Switch{false}, now_);
    giving_.apply(Pause{}, now_);
    giving_.restore({}, now_);
    EXPECT_EQ(giving_.settings(now_), Settings{});
}

TEST_F(GivingTest, BytesBoundWhatIsGiven) {
    giving_.apply(
        ChangeCaps{
            {.max_bytes = Bytes(1000 * 4096), .max_percent = {}, .only_when_idle = {}, .only_on_mains = {}, .quiet_hours = {}}},
        now_);
    const GivingDecision decision = step();
    EXPECT_EQ(decision.kind, GivingKind::giving);
    EXPECT_EQ(decision.hold, Hold::none);
    EXPECT_EQ(decision.transparent_limit, Pages(1'000));
    EXPECT_EQ(decision.opaque_limit, Pages(9'000)) << "the owner has the rest";
    EXPECT_EQ(decision.reason.code, ReasonCode::measured);
    EXPECT_EQ(decision.reason.cap, Pages(1'000));
    EXPECT_EQ(decision.reason.allowed, Pages(1'000)) << "allowed is the limit after the caps";
    EXPECT_EQ(decision.reason.opaque_limit, Pages(9'000));
}

TEST_F(GivingTest, PagesNeedNotHaveFourKilobytes) {
    inputs_.page_bytes = Bytes(65536);
    giving_.apply(ChangeCaps{{.max_bytes = Bytes(65536 * 10 + 5),
                              .max_percent = {},
                              .only_when_idle = {},
                              .only_on_mains = {},
                              .quiet_hours = {}}},
                  now_);
    EXPECT_EQ(step().transparent_limit, Pages(10U));
}

TEST_F(GivingTest, PerCentBoundWhatIsGiven) {
    CapsChange caps;
    caps.max_percent = 25;
    giving_.apply(ChangeCaps{caps}, now_);
    EXPECT_EQ(step().transparent_limit, Pages(2'500U));
    caps.max_bytes = Bytes(1000 * 4096);
    giving_.apply(ChangeCaps{caps}, now_);
    EXPECT_EQ(step().transparent_limit, Pages(1'000U)) << "the smaller of both";
    caps.max_percent = 1e300;
    caps.max_bytes.emplace();
    giving_.apply(ChangeCaps{caps}, now_);
    EXPECT_EQ(step().transparent_limit, Pages(6'000U));
}

TEST_F(GivingTest, ACapAboveWhatThePolicyGivesIsNotMentioned) {
    giving_.apply(
        ChangeCaps{
            {.max_bytes = Bytes(7000 * 4096), .max_percent = {}, .only_when_idle = {}, .only_on_mains = {}, .quiet_hours = {}}},
        now_);
    EXPECT_EQ(step().transparent_limit, Pages(6'000U));
    EXPECT_EQ(step().opaque_limit, Pages(4'000U));
    EXPECT_EQ(step().reason, policys_reason());
}

TEST_F(GivingTest, ACapOfNothingIsWaiting) {
    CapsChange caps;
    caps.max_percent = 0;
    giving_.apply(ChangeCaps{caps}, now_);
    EXPECT_EQ(step().kind, GivingKind::waiting);
    EXPECT_EQ(step().transparent_limit, Pages(0));
}

TEST_F(GivingTest, OnlyWhenIdle) {
    CapsChange caps;
    caps.only_when_idle = true;
    giving_.apply(ChangeCaps{caps}, now_);
    inputs_.idle_for = seconds(299);
    expect_nothing_given(GivingKind::waiting);
    EXPECT_EQ(step().reason.code, ReasonCode::in_use);
    EXPECT_EQ(step().reason.idle_after, Seconds(300));
    inputs_.idle_for = seconds(300);
    EXPECT_EQ(step().kind, GivingKind::giving);
    inputs_.idle_for.reset();
    expect_nothing_given(GivingKind::waiting);
    EXPECT_EQ(step().reason.code, ReasonCode::presence_unknown);
}

TEST_F(GivingTest, OnlyOnMains) {
    CapsChange caps;
    caps.only_on_mains = true;
    giving_.apply(ChangeCaps{caps}, now_);
    inputs_.on_mains = false;
    expect_nothing_given(GivingKind::waiting);
    EXPECT_EQ(step().reason.code, ReasonCode::on_battery);
    EXPECT_FALSE(step().reason.by_administrator);
    inputs_.on_mains = true;
    EXPECT_EQ(step().kind, GivingKind::giving);
    inputs_.on_mains.reset();
    expect_nothing_given(GivingKind::waiting);
    EXPECT_EQ(step().reason.code, ReasonCode::mains_unknown);
}

TEST_F(GivingTest, QuietHours) {
    CapsChange caps;
    caps.quiet_hours = parse_quiet_hours("22:00-07:00").value();
    giving_.apply(ChangeCaps{caps}, now_);
    EXPECT_EQ(step().kind, GivingKind::giving);
    now_.local_minute = 22 * 60;
    expect_nothing_given(GivingKind::waiting);
    EXPECT_EQ(step().reason.code, ReasonCode::quiet_hours);
    EXPECT_EQ(step().reason.quiet_hours, "22:00-07:00");
    now_.local_minute = 7 * 60;
    EXPECT_EQ(step().kind, GivingKind::giving);
}

TEST_F(GivingTest, WithoutConditionsWhatIsNotKnownDoesNotMatter) {
    inputs_.idle_for.reset();
    inputs_.on_mains.reset();
    EXPECT_EQ(step().kind, GivingKind::giving);
    EXPECT_FALSE(giving_.asks_for_mains());
}

TEST_F(GivingTest, TheStricterOfOwnerAndAdministratorCounts) {
    GivingParameters administrator;
    administrator.caps.max_percent = 20;
    administrator.caps.only_on_mains = true;
    administrator.caps.quiet_hours = parse_quiet_hours("08:00-10:00").value();
    giving_.set_parameters(administrator);
    CapsChange caps;
    caps.max_percent = 30;
    caps.quiet_hours = parse_quiet_hours("22:00-07:00").value();
    giving_.apply(ChangeCaps{caps}, now_);
    EXPECT_TRUE(giving_.asks_for_mains());
    inputs_.on_mains = false;
    EXPECT_EQ(step().reason.code, ReasonCode::on_battery);
    EXPECT_TRUE(step().reason.by_administrator);
    inputs_.on_mains = true;
    EXPECT_EQ(step().transparent_limit, Pages(2'000));
    now_.local_minute = 9 * 60;
    expect_nothing_given(GivingKind::waiting);
    now_.local_minute = 23 * 60;
    expect_nothing_given(GivingKind::waiting);
    caps.max_percent = 10;
    giving_.apply(ChangeCaps{caps}, now_);
    now_.local_minute = 12 * 60;
    EXPECT_EQ(step().transparent_limit, Pages(1'000));
}

TEST_F(GivingTest, TheAdministratorSaysWhenAMachineIsIdle) {
    GivingParameters administrator;
    administrator.caps.only_when_idle = true;
    administrator.idle_after = seconds(60);
    giving_.set_parameters(administrator);
    inputs_.idle_for = seconds(59);
    EXPECT_EQ(step().kind, GivingKind::waiting);
    inputs_.idle_for = seconds(60);
    EXPECT_EQ(step().kind, GivingKind::giving);
}

TEST_F(GivingTest, OffComesBeforePausedBeforeConditions) {
    CapsChange caps;
    caps.only_on_mains = true;
    giving_.apply(ChangeCaps{caps}, now_);
    giving_.apply(Pause{}, now_);
    EXPECT_EQ(step().kind, GivingKind::paused);
    giving_.apply(Switch{false}, now_);
    EXPECT_EQ(step().kind, GivingKind::off);
}

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
    inputs_.idle_for = hours(1);
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
    inputs_.idle_for = minutes(3);
    EXPECT_EQ(step().hold, Hold::none);
    EXPECT_FALSE(giving_.asks_for_usage());
    inputs_.idle_for = Seconds(0);
    const GivingDecision decision = step();
    EXPECT_TRUE(giving_.asks_for_usage());
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
    inputs_.idle_for = minutes(3);
    step();
    inputs_.idle_for = Seconds(0);
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
    inputs_.idle_for = Seconds(0);
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
    inputs_.idle_for = hours(1);
    EXPECT_EQ(step().evict, Pages(0)) << "nobody is there";
    EXPECT_TRUE(giving_.asks_for_usage());
    inputs_.idle_for = Seconds(0);
    EXPECT_EQ(step().evict, Pages(1'500));
    EXPECT_TRUE(step().reason.for_a_moment) << "the stall is what the owner reads";
}

TEST_F(GivingTest, ALastingStallEvictsToo) {
    inputs_.contributions = true;
    inputs_.decision.opaque_wanted = Pages(4'000);
    inputs_.usage = MemoryUsage{.total = Pages(10'000), .opaque = Pages(2'500), .transparent = Pages(7'500)};
    inputs_.stall = 0.2;
    inputs_.idle_for = Seconds(0);
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
            inputs_.idle_for = idle_for;
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
    inputs_.idle_for.reset();
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

TEST_F(GivingTest, KindsHaveNames) {
    EXPECT_EQ(name_of(GivingKind::giving), "giving");
    EXPECT_EQ(name_of(GivingKind::waiting), "waiting");
    EXPECT_EQ(name_of(GivingKind::paused), "paused");
    EXPECT_EQ(name_of(GivingKind::off), "off");
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
