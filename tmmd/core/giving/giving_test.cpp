// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/giving.hpp"

#include <gtest/gtest.h>

#include "tmmd/core/giving/giving_fixture.hpp"

namespace tmm::core {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::uint64_t megabyte = 1 << 20;

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
    idle_for_ = seconds(299);
    expect_nothing_given(GivingKind::waiting);
    EXPECT_EQ(step().reason.code, ReasonCode::in_use);
    EXPECT_EQ(step().reason.idle_after, Seconds(300));
    idle_for_ = seconds(300);
    EXPECT_EQ(step().kind, GivingKind::giving);
    idle_for_.reset();
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
    idle_for_.reset();
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
    idle_for_ = seconds(59);
    EXPECT_EQ(step().kind, GivingKind::waiting);
    idle_for_ = seconds(60);
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

TEST_F(GivingTest, KindsHaveNames) {
    EXPECT_EQ(name_of(GivingKind::giving), "giving");
    EXPECT_EQ(name_of(GivingKind::waiting), "waiting");
    EXPECT_EQ(name_of(GivingKind::paused), "paused");
    EXPECT_EQ(name_of(GivingKind::off), "off");
}

}  // namespace
}  // namespace tmm::core
