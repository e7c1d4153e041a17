// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/tick/tick.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tmmd/core/tick/tick_fixture.hpp"

namespace tmm::core {
namespace {

using std::chrono::minutes;

TEST_F(TickTest, WantsAScanFirstAndGivesNothing) {
    EXPECT_TRUE(tick_.wanted().scan);
    const Wanted& first = run(1);
    EXPECT_EQ(scans_, 1);
    ASSERT_TRUE(first.step);
    EXPECT_TRUE(first.step->source_changed);
    EXPECT_EQ(first.given.opaque_limit, Pages(10'000));
    EXPECT_EQ(first.given.transparent_limit, Pages(0));
    EXPECT_GT(run(40).given.transparent_limit, Pages(5'000));
}

TEST_F(TickTest, MoreIsGivenWhileAProgramDoesNotCount) {
    const Pages before = run(60).given.transparent_limit;
    uncounted_ = {7};
    EXPECT_GE(run(60).given.transparent_limit, before + Pages(2'000)) << "3000 pages are its own";
    ASSERT_TRUE(tick_.wanted().keeps);
    EXPECT_TRUE(tick_.wanted().keeps->by_cgroup.empty());
    uncounted_.clear();
    EXPECT_EQ(run(60).given.transparent_limit, before);
}

TEST_F(TickTest, ADecisionWithoutNewsComesOnlyAtTheEndOfAnEpoch) {
    run(60);
    EXPECT_GE(scans_, 6) << "at least every ten seconds";
    owner_works_ = false;
    run(600);
    const int scans = scans_;
    const Wanted& quiet = run(1);
    EXPECT_FALSE(quiet.step);
    EXPECT_FALSE(quiet.scanned);
    EXPECT_EQ(scans_, scans);
    EXPECT_GT(quiet.given.transparent_limit, Pages(5'000)) << "what was decided lasts";
}

TEST_F(TickTest, UseOfTheProcessorEndsAnIdleEpochAtTheNextReading) {
    run(60);
    owner_works_ = false;
    run(600);
    const int scans = scans_;
    owner_works_ = true;
    active_ = Seconds(0.5);
    EXPECT_TRUE(run(1).scan);
    active_ = Seconds(0);
    EXPECT_TRUE(run(1).step);
    EXPECT_EQ(scans_, scans + 1);
}

TEST_F(TickTest, RefaultsEndAnIdleEpochThoughNobodyUsesTheProcessor) {
    run(60);
    owner_works_ = false;
    run(600);
    const int scans = scans_;
    refaults_ = Pages(200);
    EXPECT_TRUE(run(1).step) << "they are decided on at once";
    run(1);
    EXPECT_EQ(scans_, scans + 1);
}

TEST_F(TickTest, AScanThatIsBeingPreparedIsWaitedFor) {
    run(60);
    owner_works_ = false;
    run(600);
    const int scans = scans_;
    source_ready_ = false;
    active_ = Seconds(0.5);
    run(1);
    active_ = Seconds(0);  // nothing runs any more
    EXPECT_TRUE(run(3).scan);
    EXPECT_EQ(scans_, scans);
    source_ready_ = true;
    run(1);
    EXPECT_EQ(scans_, scans + 1);
}

TEST_F(TickTest, ScansKeepToTheirShareOfAProcessor) {
    scan_cost_ = Seconds(0.018);  // every 10 s at 0.18 %
    run(300);
    const int learning = scans_;
    run(200);
    EXPECT_NEAR(scans_ - learning, 20, 2);
    poll_cost_ = Seconds(0.0009);  // which leaves half
    run(200);
    const int slower = scans_;
    run(200);
    EXPECT_NEAR(scans_ - slower, 10, 2);
}

TEST_F(TickTest, RenewsWhatCgroupsKeepEveryTenSeconds) {
    restart(every_second());
    const Wanted& wanted = run(40);
    ASSERT_TRUE(wanted.keeps);
    ASSERT_EQ(wanted.keeps->by_cgroup.size(), 1U);
    EXPECT_EQ(wanted.keeps->by_cgroup[0].cgroup, 7U);
    EXPECT_EQ(wanted.keeps->by_cgroup[0].pages, Pages(3375)) << "with three quarters of the margin of 5 %";
    int renewed = 0;
    for (int i = 0; i < 40; ++i) {
        const AwakeTime before = tick_.wanted().keeps->since;
        renewed += run(1).keeps->since != before ? 1 : 0;
    }
    EXPECT_EQ(renewed, 4);
}

TEST_F(TickTest, NothingIsKeptBeforeContributionsHaveMemory) {
    restart(every_second());
    usage_.transparent = Pages(0);
    EXPECT_FALSE(run(100).keeps);
    usage_.transparent = Pages(1);
    EXPECT_TRUE(run(1).keeps);
}

TEST_F(TickTest, KeepsEndOnceNothingIsGiven) {
    restart(every_second());
    EXPECT_FALSE(run(40).keeps->by_cgroup.empty());
    usage_.total = Pages(3'000);  // all of it is needed
    EXPECT_TRUE(run(40).keeps->by_cgroup.empty());
}

TEST_F(TickTest, NewMemoryIsDecidedOnWithinAnEpoch) {
    run(60);
    owner_works_ = false;
    run(600);
    usage_.opaque += Pages(100);
    EXPECT_FALSE(run(1).step) << "less than a quarter of the margin";
    const Pages before = tick_.wanted().given.opaque_limit;
    usage_.opaque += Pages(1'000);
    ASSERT_TRUE(run(1).step);
    EXPECT_GE(tick_.wanted().given.opaque_limit, before + Pages(1'000));
}

TEST_F(TickTest, WithoutSamplesOpaqueProgramsKeepAll) {
    restart(every_second());
    EXPECT_LT(run(60).given.opaque_limit, Pages(10'000));
    Reading reading = next_second();
    reading.second->can_learn = false;
    const Wanted& none = tick_.step(reading);
    EXPECT_EQ(none.given.opaque_limit, Pages(10'000));
    EXPECT_EQ(none.given.reason.code, ReasonCode::no_samples);
    EXPECT_LT(run(1).given.opaque_limit, Pages(10'000)) << "what was learned is kept";
}

TEST_F(TickTest, AnotherSourceOrRateHasOtherPages) {
    restart(every_second());
    run(10);
    EXPECT_EQ(tick_.policy().known_samples(), 3'000U);
    source_ = "other";
    EXPECT_TRUE(run(1).step->source_changed);
    EXPECT_EQ(tick_.policy().known_samples(), 600U);
    EXPECT_FALSE(run(1).step->source_changed);
    Reading reading = next_second();
    reading.second->rate_changed = true;
    tick_.step(reading);
    EXPECT_EQ(tick_.policy().known_samples(), 600U);
}

TEST_F(TickTest, ARestartBeginsWithAScan) {
    run(60);
    owner_works_ = false;
    run(600);
    const int scans = scans_;
    tick_.restart();
    EXPECT_TRUE(tick_.wanted().scan);
    EXPECT_FALSE(tick_.wanted().keeps);
    EXPECT_EQ(run(1).step->epoch, Seconds(0));
    EXPECT_EQ(scans_, scans + 1);
}

TEST_F(TickTest, ACommandTakesAStepBetweenTwoSeconds) {
    run(40);
    tick_.apply(Pause{minutes(30)}, now_);
    Reading between;
    between.now = now_;
    between.contributions = true;
    const Wanted& paused = tick_.step(between);
    EXPECT_EQ(paused.given.kind, GivingKind::paused);
    EXPECT_EQ(paused.given.hold, Hold::evict);
    EXPECT_EQ(paused.given.opaque_limit, Pages(10'000)) << "the memory is still known";
    EXPECT_FALSE(paused.step);
}

TEST_F(TickTest, AnAlarmFreezesForASecond) {
    run(40);
    Reading between;
    between.now = now_;
    between.usage = usage_;
    between.contributions = true;
    between.signs = {.alarm = true, .opaque_only = true, .waited = Seconds(0)};
    EXPECT_EQ(tick_.step(between).given.hold, Hold::freeze);
    EXPECT_TRUE(tick_.wanted().asks.waited);
    for (const Hold hold : {Hold::freeze, Hold::none}) {
        Reading second = next_second();
        second.now.awake -= std::chrono::milliseconds(500);
        second.signs.waited = Seconds(0);
        EXPECT_EQ(tick_.step(second).given.hold, hold);
    }
}

TEST_F(TickTest, TellsWhatContributionsUseBetweenDecisions) {
    run(60);
    owner_works_ = false;
    run(600);
    usage_.transparent = Pages(100);
    EXPECT_FALSE(run(1).step);
    EXPECT_EQ(tick_.wanted().memory->transparent, Pages(100));
}

TEST_F(TickTest, AsksForTheBatteryOnlyIfAConditionDoes) {
    run(2);
    EXPECT_FALSE(tick_.wanted().asks.mains);
    EXPECT_FALSE(tick_.wanted().asks.waited);
    TickParameters parameters;
    parameters.giving.caps.only_on_mains = true;
    tick_.set_parameters(parameters);
    EXPECT_TRUE(tick_.wanted().asks.mains) << "at once: the next reading has it";
    EXPECT_TRUE(run(1).asks.mains);
}

TEST_F(TickTest, CountsTheFaultsOfAReturn) {
    restart(every_second());
    idle_for_ = Seconds(0);
    EXPECT_EQ(run(20).step->return_faults, std::nullopt);
    idle_for_ = Seconds(400);
    run(20);
    idle_for_ = Seconds(0);
    faults_ = 30;
    const Wanted& back = run(1);
    EXPECT_EQ(back.step->return_faults, 30U);
    EXPECT_TRUE(back.step->return_begins);
    EXPECT_EQ(back.step->opaque_faults_per_s, 30);
    run(1);
    EXPECT_FALSE(tick_.wanted().step->return_begins);
    EXPECT_EQ(run(58).step->return_faults, 30U);
    EXPECT_EQ(run(1).step->return_faults, std::nullopt) << "a minute is over";
    faults_ = std::nullopt;
    EXPECT_EQ(run(1).step->opaque_faults_per_s, std::nullopt);
}

TEST_F(TickTest, AReturnThatAnAlarmSeesFirstBeginsWithTheNextDecision) {
    restart(every_second());
    idle_for_ = Seconds(0);
    run(20);
    idle_for_ = Seconds(400);
    run(20);
    idle_for_ = Seconds(0);
    Reading alarm;
    alarm.now = now_;
    alarm.usage = usage_;
    alarm.idle_for = idle_for_;
    tick_.step(alarm);
    EXPECT_TRUE(run(1).step->return_begins);
    EXPECT_FALSE(run(1).step->return_begins);
}

// A program that takes memory, and sleeps then, is not taken for a job of the night.
TEST_F(TickTest, MemoryThatIsTakenTellsOfPeopleWhereNothingElseDoes) {
    restart(every_second());
    run(20);
    owner_works_ = false;
    run(200);
    faults_ = 40;
    EXPECT_EQ(run(1).step->return_faults, std::nullopt) << "of a job by night";
    usage_.opaque += Pages(1'000);
    EXPECT_TRUE(run(1).step->return_begins);
}

TEST_F(TickTest, AsksForMoreSamplesWhileTheyAreCheap) {
    int changes = 0;
    for (int i = 0; i < 1500; ++i) {
        const int change = run(1).rate_change;
        EXPECT_TRUE(change == 0 || tick_.wanted().scanned) << "once after each epoch";
        changes += change;
    }
    EXPECT_LT(changes, -1);
    TickParameters fixed;
    fixed.epochs.fixed_rate = true;
    restart(fixed);
    for (int i = 0; i < 1500; ++i)
        EXPECT_EQ(run(1).rate_change, 0);
}

TEST_F(TickTest, DecidesNothingBeforeTheFirstScan) {
    source_ready_ = false;
    EXPECT_FALSE(run(3).step);
    source_ready_ = true;
    EXPECT_TRUE(run(1).step);
}

TEST_F(TickTest, LearnsHowActiveProgramsAre) {
    active_ = Seconds(0.5);
    run(1300);
    EXPECT_NEAR(tick_.policy().histogram().active_share(), 0.5, 0.05);
}

TEST_F(TickTest, WhatWasEvictedMakesTheLimitGrow) {
    run(60);
    owner_works_ = false;
    run(600);
    const Pages before = tick_.wanted().given.opaque_limit;
    Reading reading = next_second();
    reading.second->sample.evicted = Pages(1'000);
    const Wanted& wanted = tick_.step(reading);
    ASSERT_TRUE(wanted.step) << "so much came, though as much went";
    EXPECT_GE(wanted.given.opaque_limit, before + Pages(1'000));
}

TEST_F(TickTest, LeavesOutWhatNoMachineCanCount) {
    restart(every_second());
    for (int i = 0; i < 700; ++i) {
        Reading reading = next_second();
        reading.second->active = Seconds(std::nan(""));
        reading.second->sample.reads[0] = {1e300, Seconds(std::nan(""))};
        reading.second->sample.anonymous_refaults = std::nan("");
        reading.second->sample.refaults.push_back({Pages(1), Pages(UINT64_MAX), Pages(UINT64_MAX)});
        tick_.step(reading);
    }
    EXPECT_TRUE(std::isfinite(tick_.policy().histogram().active_share()));
    EXPECT_TRUE(std::isfinite(tick_.latest()->decision.refaults_per_s));
    EXPECT_TRUE(std::isfinite(tick_.latest()->miss_latency[0]));
    EXPECT_LT(tick_.wanted().given.opaque_limit, Pages(10'000));
}

TEST_F(TickTest, KeepsBeginOnlyWithSomethingToKeep) {
    restart(every_second());
    usage_ = {.total = Pages(3'000), .opaque = Pages(2'900), .transparent = Pages(100)};
    EXPECT_FALSE(run(40).keeps) << "all memory is needed";
}

TEST_F(TickTest, KeepsAreRenewedAfterAScanOnly) {
    run(60);
    owner_works_ = false;
    run(600);
    ASSERT_TRUE(tick_.wanted().keeps);
    for (int i = 0; i < 100; ++i) {
        const AwakeTime before = tick_.wanted().keeps->since;
        const int scans = scans_;
        const bool renewed = run(1).keeps->since != before;
        EXPECT_TRUE(!renewed || scans_ > scans);
    }
}

// All that a reading has counts for the rules that hold contributions.
TEST_F(TickTest, AStallOfAMinuteHoldsContributions) {
    restart(every_second());
    run(40);
    Reading reading = next_second();
    reading.stall = 0.5;
    reading.contributions = false;
    EXPECT_EQ(tick_.step(reading).given.hold, Hold::none) << "there is nobody to hold";
    reading = next_second();
    reading.stall = 0.5;
    EXPECT_EQ(tick_.step(reading).given.reason.code, ReasonCode::pressure);
    EXPECT_EQ(tick_.wanted().given.hold, Hold::freeze);
}

TEST_F(TickTest, ConditionsSeeTheBatteryAndThePeople) {
    TickParameters parameters = every_second();
    parameters.giving.caps.only_on_mains = true;
    parameters.giving.caps.only_when_idle = true;
    restart(parameters);
    run(40);
    EXPECT_EQ(tick_.wanted().given.reason.code, ReasonCode::mains_unknown);
    Reading reading = next_second();
    reading.on_mains = true;
    EXPECT_EQ(tick_.step(reading).given.reason.code, ReasonCode::presence_unknown);
    idle_for_ = Seconds(0);
    reading = next_second();
    reading.on_mains = true;
    EXPECT_EQ(tick_.step(reading).given.reason.code, ReasonCode::in_use);
    idle_for_ = Seconds(400);
    reading = next_second();
    reading.on_mains = true;
    EXPECT_EQ(tick_.step(reading).given.kind, GivingKind::giving);
}

TEST_F(TickTest, SwapInMemoryThatLeavesTooLittleHoldsContributions) {
    restart(every_second());
    run(40);
    usage_ = {.total = Pages(4'000), .opaque = Pages(3'000), .transparent = Pages(1'000)};
    Reading reading = next_second();
    reading.swap = {.taken = Pages(6'000), .stored = Pages(7'000), .contributed = Pages(7'000), .is_all = true};
    EXPECT_EQ(tick_.step(reading).given.reason.code, ReasonCode::compressed_swap);
    reading = next_second();
    reading.swap = {.taken = Pages(UINT64_MAX), .stored = Pages(UINT64_MAX), .contributed = Pages(0), .is_all = true};
    EXPECT_NE(tick_.step(reading).given.reason.code, ReasonCode::compressed_swap) << "no machine can have so much";
}

TEST_F(TickTest, WhoComesBackAndLacksMemoryGetsItBack) {
    restart(every_second());
    idle_for_ = Seconds(0);
    run(40);
    idle_for_ = Seconds(400);
    usage_ = {.total = Pages(10'000), .opaque = Pages(1'000), .transparent = Pages(9'000)};
    run(5);
    idle_for_ = Seconds(0);
    const Wanted& back = run(1);
    EXPECT_EQ(back.given.reason.code, ReasonCode::lack);
    EXPECT_EQ(back.given.evict, Pages(2'000));
    for (int i = 0; i < 30; ++i) {
        Reading reading = next_second();
        reading.evicting = true;
        EXPECT_EQ(tick_.step(reading).given.hold, Hold::freeze) << "the request is under way";
    }
    run(20);
    EXPECT_EQ(tick_.wanted().given.hold, Hold::none);
}

TEST_F(TickTest, DividesSoftMemoryEachSecond) {
    Reading second = next_second();
    SoftHeap heap{.id = 5};
    heap.used = Bytes(400 << 12);
    second.soft = {heap};
    EXPECT_EQ(tick_.step(second).soft, (std::vector<SoftGrant>{{5, Bytes(900 << 12)}})) << "500 of 1,000 free pages, and its own";
    Reading between;
    between.now = now_;
    between.usage = usage_;
    EXPECT_EQ(tick_.step(between).soft.size(), 1U) << "it stays until the next second";
    EXPECT_EQ(tick_.wanted().memory->soft, Pages(400));
    EXPECT_EQ(tick_.wanted().memory->opaque, usage_.opaque) << "soft memory is a part of it";
    EXPECT_TRUE(run(1).soft.empty());
}

TEST_F(TickTest, TheOwnerBoundsAndWeighsSoftMemory) {
    const auto grants = [this] {
        Reading reading = next_second();
        for (const uid_t user : {1000, 1001}) {
            SoftHeap heap{.id = user, .user = user};
            heap.used = Bytes(200 << 12);
            reading.soft.push_back(heap);
        }
        return tick_.step(reading).soft;
    };
    EXPECT_EQ(grants(), (std::vector<SoftGrant>{{1000, Bytes(450 << 12)}, {1001, Bytes(450 << 12)}}));
    tick_.apply(CapSoft{Bytes(100 << 12)}, now_);
    EXPECT_EQ(grants(), (std::vector<SoftGrant>{{1000, Bytes(50 << 12)}, {1001, Bytes(50 << 12)}}));
    EXPECT_FALSE(tick_.wanted().soft_urgent) << "nobody lacks it";
    tick_.apply(WeighSoft{1001, 300}, now_);
    EXPECT_EQ(grants(), (std::vector<SoftGrant>{{1000, Bytes(25 << 12)}, {1001, Bytes(75 << 12)}}));
    const Settings settings = tick_.settings(now_);
    tick_.apply(CapSoft{}, now_);
    tick_.apply(WeighSoft{1001}, now_);
    EXPECT_EQ(grants()[1].bytes, Bytes(450 << 12));
    EXPECT_EQ(tick_.settings(now_).soft, SoftShares());
    tick_.restore_settings(settings, now_);
    EXPECT_EQ(grants()[1].bytes, Bytes(75 << 12));
}

TEST_F(TickTest, TakesSoftMemoryBackAtOnceWhereItIsShort) {
    const auto second = [this](std::uint64_t used, std::uint64_t kept) {
        Reading reading = next_second();
        SoftHeap heap{.id = 5};
        heap.used = Bytes(used << 12);
        reading.soft = {heap};
        reading.kept = Pages(kept);
        return reading;
    };
    EXPECT_FALSE(tick_.step(second(400, 0)).soft_urgent);
    const Wanted& wanted = tick_.step(second(400, 530));  // and a reserve of 500, of 1,000 free pages
    EXPECT_EQ(wanted.soft, (std::vector<SoftGrant>{{5, Bytes(370 << 12)}}));
    EXPECT_TRUE(wanted.soft_urgent);
}

TEST_F(TickTest, ADecisionKnowsWhenTheOwnerLeftAndAttended) {
    restart(every_second());
    idle_for_ = Seconds(0);
    EXPECT_EQ(run(20).scanned->attended, Seconds(1));
    idle_for_ = Seconds(300);
    EXPECT_EQ(run(1).scanned->attended, Seconds(0));
}

}  // namespace
}  // namespace tmm::core
