// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Each test is one way in which BOINC and memory go wrong together. policy_holding_test.cpp has those of tasks that are held.
#include <gtest/gtest.h>

#include "boinc-adapter/policy/policy_fixture.hpp"

namespace tmm::boinc {
namespace {

using std::chrono::seconds;

TEST_F(PolicyTest, PushesTheDonationAsTheSamePercentageForBothStatesOfTheUser) {
    const Orders orders = turn(giving(4 * gib));
    EXPECT_EQ(orders.preferences, (Preferences{25, 25, true}));
}

TEST_F(PolicyTest, AUsersLowerLimitWins) {
    facts.users.busy_percent = 10;
    EXPECT_EQ(turn(giving(4 * gib)).preferences, (Preferences{10, 25, true}));
}

TEST_F(PolicyTest, NeverGoesBelowATaskThatExecutesButSuspendsItAndWaits) {
    facts.tasks = {task("a", 2 * gib)};
    turn(giving(4 * gib));
    obeys = false;
    Orders orders = turn(giving(gib), seconds(60));
    EXPECT_EQ(orders.suspend, ids({"a"}));
    // Suspended, and still executing: the limit stays above it.
    for (const ProcessState state : {ProcessState::executing, ProcessState::quitting}) {
        find("a").state = state;
        for (int i = 0; i < 30; ++i)
            turn(giving(gib));
        EXPECT_GE(limit(), 2 * gib * 11 / 10 - mib);
    }
    find("a").state = ProcessState::suspended;
    turns(giving(gib), 30);
    EXPECT_GE(limit(), 2 * gib) << "the user may resume it";
    find("a").state = ProcessState::none;
    orders = turn(giving(gib));
    ASSERT_TRUE(orders.preferences);
    EXPECT_NEAR(static_cast<double>(limit()), gib, 2 * mib);
}

TEST_F(PolicyTest, ASuspendedTaskInMemoryStaysBelowTheLimitForItsUserMayResumeIt) {
    facts.tasks = {task("held", 2 * gib), task("a", 300 * mib), task("users", 3 * gib, ProcessState::suspended)};
    find("users").suspended_by_gui = true;
    turn(giving(gib));
    turns(giving(gib), 60);
    ASSERT_TRUE(find("held").suspended_by_gui);
    // Swapped out, it looks small to the client.
    find("held").client_bytes = find("users").client_bytes = 20 * mib;
    turns(giving(gib), 60);
    EXPECT_GE(limit(), 3 * gib * 11 / 10 - mib);
    find("users").state = ProcessState::none;
    turns(giving(gib), 60);
    EXPECT_NEAR(static_cast<double>(limit()), 2 * gib * 1.1, 4 * mib);
}

TEST_F(PolicyTest, UnderALimitAboveTheDonationQueuedTasksThatDoNotFitAreHeldBeforeTheyStart) {
    facts.tasks = {task("held", 2 * gib), task("a", 600 * mib), task("queued", 0, ProcessState::none)};
    find("queued").bound_bytes = 500 * mib;
    find("queued").current_cpu = find("queued").checkpoint_cpu = Cpu(0);
    turn(giving(4 * gib));
    turn(giving(gib));
    ASSERT_TRUE(find("held").suspended_by_gui);
    EXPECT_EQ(turn(giving(gib)).suspend, ids({}));
    EXPECT_TRUE(find("queued").suspended_by_gui);
    // When there is room it may start, the held one still waits.
    turns(giving(1500 * mib), 60);
    EXPECT_FALSE(find("queued").suspended_by_gui);
    EXPECT_TRUE(find("held").suspended_by_gui);
}

TEST_F(PolicyTest, ATaskThatTheClientHasNotMeasuredCountsAsTheClientGuesses) {
    // It has been in memory for long, so its size is known; the client began a moment ago.
    facts.tasks = {task("a", gib), task("b", 500 * mib)};
    turn(giving(2 * gib));
    turns(giving(2 * gib), 30);
    ASSERT_LT(limit(), 2 * gib + mib);
    find("b").client_bytes = 0;
    find("b").bound_bytes = 3 * gib;
    turn(giving(2 * gib));
    EXPECT_GE(limit(), gib * 11 / 10 + 3 * gib) << "by its project's bound";
    find("b").bound_bytes = 0;
    find("a").app_name = find("b").app_name = "alike";
    turns(giving(1700 * mib), 30);
    EXPECT_GE(limit(), gib * 11 / 10 + gib - mib) << "as its like";
    find("b").client_bytes = 500 * mib;
    turns(giving(1700 * mib), 30);
    EXPECT_LT(limit(), 2 * gib) << "as it measured it";
}

TEST_F(PolicyTest, AHeldTaskThatHasToStartWaitsForTheRoomThatTheClientGuesses) {
    facts.tasks = {task("a", 100 * mib), task("held", gib)};
    turn(giving(4 * gib));
    turns(giving(500 * mib), 3);
    ASSERT_TRUE(find("held").suspended_by_gui);
    find("held").state = ProcessState::none;
    find("held").bound_bytes = 3 * gib;
    turns(giving(2 * gib), 30);
    EXPECT_TRUE(find("held").suspended_by_gui);
    turns(giving(4 * gib), 30);
    EXPECT_FALSE(find("held").suspended_by_gui);
}

TEST_F(PolicyTest, ATaskInMemoryThatIsSeenForTheFirstTimeMayHaveBegunAMomentAgo) {
    facts.tasks = {task("a", 200 * mib)};
    find("a").bound_bytes = 2 * gib;
    find("a").processor = Cpu(5);  // since its checkpoint
    turn(giving(gib));
    turns(giving(gib), 30);
    EXPECT_GE(limit(), 2 * gib);
}

TEST_F(PolicyTest, ATaskThatEndedInsteadOfBeingSuspendedStandsStillToo) {
    facts.tasks = {task("a", 2 * gib)};
    turn(giving(4 * gib));
    turn(giving(gib), seconds(60));
    find("a").state = ProcessState::none;
    EXPECT_TRUE(turn(giving(gib), seconds(20)).preferences);
    EXPECT_LT(limit(), 2 * gib);
}

TEST_F(PolicyTest, TheSumOfTasksStaysBelowTheLimitForAnOldClientEndsThemAboveIt) {
    facts.tasks = {task("a", gib), task("b", gib), task("c", gib)};
    turn(giving(4 * gib));
    obeys = false;
    const Orders orders = turn(giving(2500 * mib), seconds(60));
    EXPECT_EQ(orders.suspend.size(), 1U);
    EXPECT_GE(limit(), 3 * gib);
}

TEST_F(PolicyTest, CountsSwapForMemoryThatWasTakenComesBack) {
    facts.tasks = {task("a", 2 * gib)};
    turn(giving(4 * gib));
    find("a").client_bytes = 100 * mib;  // the rest is swapped out; the client would find it small
    EXPECT_EQ(turn(giving(gib), seconds(60)).suspend, ids({"a"}));
    turns(giving(gib), 60);
    EXPECT_TRUE(find("a").suspended_by_gui);
}

TEST_F(PolicyTest, HoldsTheLargestAndLetsTheOthersRun) {
    facts.tasks = {task("large", 2 * gib), task("a", 300 * mib), task("b", 500 * mib)};
    turn(giving(4 * gib));
    EXPECT_EQ(turn(giving(gib)).suspend, ids({"large"}));
    EXPECT_EQ(policy.waiting().at({"http://p/", "large"}), 2 * gib * 11 / 10);
}

TEST_F(PolicyTest, ResumesOnlyUnderALimitThatCoversIt) {
    facts.tasks = {task("a", 2 * gib)};
    turn(giving(4 * gib));
    turn(giving(gib));
    // Ended, it needs no limit above it.
    find("a").state = ProcessState::none;
    turns(giving(gib), 30);
    ASSERT_LT(limit(), 2 * gib);
    Orders orders = turn(giving(4 * gib));
    EXPECT_TRUE(orders.preferences);
    EXPECT_TRUE(orders.resume.empty());
    orders = turn(giving(4 * gib));
    EXPECT_EQ(orders.resume, ids({"a"}));
    find("a").state = ProcessState::executing;
    EXPECT_TRUE(turn(giving(4 * gib)).empty());
}

TEST_F(PolicyTest, DoesNotResumeAtOnceNorWithoutRoom) {
    facts.tasks = {task("a", 2 * gib)};
    turn(giving(4 * gib));
    turn(giving(gib));
    EXPECT_TRUE(turns(giving(4 * gib), 5).resume.empty());
    EXPECT_TRUE(turns(giving(2 * gib + 300 * mib), 60).resume.empty());
    EXPECT_TRUE(find("a").suspended_by_gui);
}

TEST_F(PolicyTest, NeverResumesWhatTheUserSuspended) {
    facts.tasks = {task("a", 100 * mib, ProcessState::suspended)};
    find("a").suspended_by_gui = true;
    for (const Donation& donation : {giving(4 * gib), paused, giving(gib), off, absent, giving(8 * gib), absent})
        turns(donation, 60);
    EXPECT_TRUE(find("a").suspended_by_gui);
}

TEST_F(PolicyTest, WhatTheUserResumesRunsUnderALimitThatCoversIt) {
    facts.tasks = {task("a", 2 * gib)};
    turn(giving(4 * gib));
    turns(giving(gib), 30);
    ASSERT_TRUE(find("a").suspended_by_gui);
    find("a").suspended_by_gui = false;
    find("a").state = ProcessState::executing;
    find("a").true_bytes = 3 * gib;  // another process of it came
    const Orders orders = turn(giving(gib));
    EXPECT_TRUE(orders.suspend.empty());
    ASSERT_TRUE(orders.preferences);  // at once, whatever the interval
    EXPECT_GE(limit(), 3 * gib * 11 / 10);
    EXPECT_TRUE(turns(giving(gib), 60).suspend.empty());
}

TEST_F(PolicyTest, PushesSeldomAndOnlyForChangesThatMatter) {
    turn(giving(4 * gib));
    EXPECT_TRUE(turn(giving(2 * gib)).empty());  // 2 seconds after the last
    EXPECT_TRUE(turn(giving(2 * gib), seconds(14)).preferences);
    EXPECT_TRUE(turn(giving(2 * gib + 50 * mib), seconds(60)).empty());
}

TEST_F(PolicyTest, ATaskThatGrowsRaisesTheLimitAtOnceOrIsSuspended) {
    facts.tasks = {task("a", 500 * mib)};
    turn(giving(gib));
    turns(giving(gib), 10);
    find("a").true_bytes = find("a").client_bytes = 900 * mib;  // 200 MiB a second
    const Orders orders = turn(giving(gib));
    EXPECT_EQ(orders.suspend, ids({"a"}));
    ASSERT_TRUE(orders.preferences);
    EXPECT_GT(limit(), 2 * gib);
}

TEST_F(PolicyTest, ATaskThatShrankMayComeBackToThePeakOfItsProcess) {
    for (const bool is_seen_without : {true, false}) {
        facts.tasks = {task("a", 2 * gib), task("b", 400 * mib)};
        turn(giving(4 * gib));
        find("a").true_bytes = find("a").client_bytes = 200 * mib;
        turns(giving(gib), 60);
        EXPECT_FALSE(find("a").suspended_by_gui || find("b").suspended_by_gui) << "both fit as they are";
        EXPECT_GE(limit(), (2 * gib + 400 * mib) * 11 / 10 - mib) << "an old client counts the sum";
        // Its process ends and begins anew, and is soon past its youth.
        if (is_seen_without) {
            find("a").state = ProcessState::none;
            turn(giving(gib));
            find("a").state = ProcessState::executing;
        }
        find("a").current_cpu = find("a").checkpoint_cpu;
        turn(giving(gib));
        find("a").current_cpu += Cpu(100);
        turns(giving(gib), 60);
        EXPECT_NEAR(static_cast<double>(limit()), gib, 2 * mib);
        facts.tasks.clear();
        turns(giving(4 * gib), 60);
    }
}

TEST_F(PolicyTest, AProcessThatWasReplacedBetweenTwoTurnsIsYoungAgain) {
    facts.tasks = {task("a", 600 * mib)};
    find("a").bound_bytes = 3 * gib;
    find("a").start_ticks = 500;
    turn(giving(4 * gib));
    turns(giving(gib), 20);
    ASSERT_FALSE(find("a").suspended_by_gui);
    // It ended right after a checkpoint: its time does not go back, and no turn saw it without a process.
    find("a").true_bytes = find("a").client_bytes = 20 * mib;
    find("a").start_ticks = 700;
    turn(giving(500 * mib));
    EXPECT_TRUE(find("a").suspended_by_gui) << "it will fetch its 600 MiB again";
}

TEST_F(PolicyTest, AYoungTaskCountsByItsProjectsBound) {
    facts.tasks = {task("a", 10 * mib)};
    find("a").current_cpu = Cpu(1);
    find("a").checkpoint_cpu = Cpu(0);
    find("a").bound_bytes = 2 * gib;
    turn(giving(4 * gib));
    EXPECT_EQ(turn(giving(gib)).suspend, ids({"a"}));
}

TEST_F(PolicyTest, AYoungTaskWithoutABoundKeepsTheLimitAsItIs) {
    for (const ProcessState state : {ProcessState::executing, ProcessState::none}) {
        policy = Policy();
        facts.ours.reset();
        is_new = true;
        facts.tasks = {task("known", 100 * mib)};
        turn(giving(4 * gib));
        facts.tasks.push_back(task("new", 10 * mib, state));
        find("new").current_cpu = find("new").checkpoint_cpu = Cpu(0);
        turns(giving(gib), 20);
        EXPECT_EQ(limit(), 4 * gib);
        EXPECT_FALSE(find("new").suspended_by_gui) << "it may be small";
        find("new").bound_bytes = 300 * mib;  // the client has told its work
        turns(giving(gib), 20);
        EXPECT_NEAR(static_cast<double>(limit()), gib, 2 * mib);
    }
}

TEST_F(PolicyTest, AWaitingTaskTooLargeForTheDonationIsHeldBeforeTheLimitFalls) {
    facts.tasks = {task("a", 0, ProcessState::none)};
    find("a").current_cpu = Cpu(0);
    find("a").bound_bytes = 2 * gib;
    turn(giving(4 * gib));
    EXPECT_EQ(turn(giving(gib)).suspend, ids({"a"}));
    // One that fits starts when the client likes.
    find("a").suspended_by_gui = false;
    Policy other;
    EXPECT_TRUE(other.step(facts, giving(3 * gib), {seconds(5000), seconds(5000)}).suspend.empty());
}

TEST_F(PolicyTest, AFewTasksOfAnApplicationTellMoreThanTheProjectsBound) {
    for (const char* name : {"a", "b", "c"}) {
        facts.tasks.push_back(task(name, 100 * mib));
        facts.tasks.back().app_name = "app";
    }
    turn(giving(4 * gib));
    facts.tasks.push_back(task("new", 0, ProcessState::none));
    find("new").app_name = "app";
    find("new").current_cpu = Cpu(0);
    find("new").bound_bytes = 8 * gib;
    EXPECT_TRUE(turns(giving(2 * gib), 30).suspend.empty());
    EXPECT_FALSE(find("new").suspended_by_gui);
    // They tell as much of one whose bound is not known.
    find("new").bound_bytes = 0;
    turns(giving(gib), 20);
    EXPECT_NEAR(static_cast<double>(limit()), gib, 2 * mib);
}

TEST_F(PolicyTest, TheFirstPushComesBeforeTheFirstSuspensionSoThatTasksStayInMemory) {
    facts.tasks = {task("a", 2 * gib)};
    is_new = false;
    Orders orders = turn(giving(gib));
    // The user's own limits, but tasks stay in memory.
    EXPECT_EQ(orders.preferences, (Preferences{50, 90, true}));
    EXPECT_TRUE(orders.suspend.empty());
    EXPECT_EQ(turn(giving(gib)).suspend, ids({"a"}));
    // A task that began a moment ago looks small: a new adapter watches before it lowers the limit.
    EXPECT_TRUE(turns(giving(gib), 8).empty());
    EXPECT_TRUE(turn(giving(gib)).preferences);
}

TEST_F(PolicyTest, TasksThatDoNotFitStandStillWhileANewAdapterStillWatches) {
    for (const char* name : {"a", "b", "c", "d"}) {
        facts.tasks.push_back(task(name, 20 * mib));
        facts.tasks.back().current_cpu = facts.tasks.back().checkpoint_cpu = Cpu(1);
        facts.tasks.back().bound_bytes = gib;
    }
    is_new = false;  // each turn is seen
    const Orders first = turn(giving(2 * gib));
    EXPECT_TRUE(first.preferences);
    EXPECT_TRUE(first.suspend.empty());
    EXPECT_EQ(turn(giving(2 * gib)).suspend, ids({"c", "d"}));
    for (seconds passed{4}; passed < Policy::watch_length; passed += seconds(2)) {
        const Orders orders = turn(giving(passed < seconds(10) ? 2 * gib : 8 * gib));
        EXPECT_FALSE(orders.preferences) << "only the user's limit counts";
        EXPECT_TRUE(orders.resume.empty()) << "it may look smaller than it will be";
    }
    EXPECT_EQ(limit(), facts.memory_bytes * 9 / 10);
}

TEST_F(PolicyTest, WithoutTheRightToPushItSuspendsOnlyWhatLosesNothing) {
    facts.can_push = false;
    is_new = false;
    facts.tasks = {task("a", 2 * gib), task("b", 2 * gib)};
    find("a").checkpoint_cpu = Cpu(900);  // 100 seconds of work would be lost
    const Orders orders = turn(giving(gib));
    EXPECT_FALSE(orders.preferences);
    EXPECT_EQ(orders.suspend, ids({"b"}));
}

TEST_F(PolicyTest, PausedAllStopsAndNothingIsHeldTaskByTask) {
    facts.tasks = {task("a", 2 * gib)};
    turn(giving(4 * gib));
    const Orders orders = turn(paused);
    EXPECT_TRUE(orders.stop_for);
    EXPECT_TRUE(orders.suspend.empty());
    EXPECT_TRUE(turn(paused).empty());
    EXPECT_TRUE(turn(giving(4 * gib)).restore_mode);
}

TEST_F(PolicyTest, WhileItsUserRunsAlwaysInAPauseTheLimitStaysAboveTheTasks) {
    facts.tasks = {task("a", 500 * mib), task("held", 3 * gib)};
    turn(giving(gib));
    turns(giving(gib), 30);
    find("held").state = ProcessState::none;
    turns(giving(gib), 30);
    ASSERT_LT(limit(), 2 * gib);
    const std::uint64_t before = limit();
    EXPECT_FALSE(turn(paused).preferences) << "the limit covers it";
    facts.mode = {RunMode::always, RunMode::automatic, seconds(3600)};
    for (std::uint64_t bytes = 600 * mib; bytes <= 4 * gib; bytes += 300 * mib) {
        find("a").state = ProcessState::executing;
        find("a").true_bytes = find("a").client_bytes = bytes;
        EXPECT_FALSE(turn(paused).stop_for);
        EXPECT_GE(limit(), bytes);
    }
    EXPECT_TRUE(find("held").suspended_by_gui);
    find("a").true_bytes = find("a").client_bytes = 500 * mib;
    turns(paused, 30);
    EXPECT_GT(limit(), before) << "it never falls in a pause";
}

TEST_F(PolicyTest, NothingToGiveIsAStopToo) {
    is_new = false;
    EXPECT_TRUE(turn(giving(10 * mib)).stop_for);
}

TEST_F(PolicyTest, AtAStopTasksStayInMemoryEvenIfTmmNeverPushedBefore) {
    facts.tasks = {task("a", gib)};
    find("a").checkpoint_cpu = Cpu(500);
    const Orders orders = turn(paused);
    EXPECT_TRUE(orders.stop_for);
    ASSERT_TRUE(orders.preferences);
    EXPECT_TRUE(orders.preferences->leave_in_memory);
    EXPECT_EQ(orders.preferences->idle_percent, users.idle_percent);
}

TEST_F(PolicyTest, BackWithLessAllThatDoesNotFitIsHeldBeforeTheClientRuns) {
    facts.tasks = {task("a", 2 * gib), task("b", 200 * mib)};
    turn(giving(4 * gib));
    turn(paused);
    find("a").state = find("b").state = ProcessState::suspended;
    obeys = false;
    Orders orders = turn(giving(gib));
    EXPECT_EQ(orders.suspend, ids({"a"}));
    EXPECT_FALSE(orders.restore_mode);
    EXPECT_TRUE(turn(giving(gib)).restore_mode);
}

// The disk is full, or the user's file is damaged: the client keeps TMM's last limit, and aborts what exceeds it.
TEST_F(PolicyTest, ALimitThatCannotBeRaisedHoldsThoughMoreIsGiven) {
    facts.tasks = {task("a", 500 * mib), task("b", 100 * mib)};
    turn(giving(4 * gib));
    turns(giving(gib), 30);
    ASSERT_LE(limit(), gib + mib);
    facts.can_push = false;
    std::uint64_t& bytes = find("a").true_bytes;
    for (bytes = 600 * mib; bytes < 2 * gib && !find("a").suspended_by_gui; bytes += 20 * mib) {
        find("a").client_bytes = bytes;
        turn(giving(4 * gib));
    }
    EXPECT_LT(bytes, gib) << "it stands still before the client would abort it";
    facts.can_push = true;
    turns(giving(4 * gib), 60);
    EXPECT_FALSE(find("a").suspended_by_gui);
    EXPECT_GT(limit(), 3 * gib);
}

TEST_F(PolicyTest, WithoutTmmdAllIsAsWithoutTmm) {
    facts.tasks = {task("a", 2 * gib), task("b", 100 * mib)};
    turn(giving(4 * gib));
    turns(giving(gib), 20);
    ASSERT_TRUE(find("a").suspended_by_gui);
    turns(absent, 4);
    EXPECT_FALSE(facts.ours);
    EXPECT_FALSE(find("a").suspended_by_gui);
    EXPECT_TRUE(turn(absent).empty());
    EXPECT_EQ(policy.saved_state(), SavedState());
}

TEST_F(PolicyTest, AnotherAdapterResumesWhatAKilledOneHeld) {
    facts.tasks = {task("a", 2 * gib), task("user's", gib, ProcessState::suspended)};
    find("user's").suspended_by_gui = true;
    turn(giving(4 * gib));
    turn(giving(gib));
    const SavedState saved = policy.saved_state();
    EXPECT_EQ(saved.held.size(), 1U);
    policy = Policy();
    policy.restore(saved, {seconds(1000), seconds(1000)});
    facts.ours.reset();  // the new one brought the user's back
    turns(absent, 3);
    EXPECT_FALSE(find("a").suspended_by_gui);
    EXPECT_TRUE(find("user's").suspended_by_gui);
}

TEST_F(PolicyTest, ATaskStaysSavedAsHeldUntilTheClientTellsThatItRuns) {
    facts.tasks = {task("a", 2 * gib)};
    turn(giving(4 * gib));
    turns(giving(gib), 30);
    Orders orders;
    for (int i = 0; i < 30 && orders.resume.empty(); ++i)
        orders = turn(giving(4 * gib));
    ASSERT_EQ(orders.resume, ids({"a"}));
    EXPECT_EQ(policy.saved_state().held.size(), 1U);  // the adapter may be killed before it sends that
    turn(giving(4 * gib));
    EXPECT_TRUE(policy.saved_state().held.empty());
}

TEST_F(PolicyTest, AClientThatForgotASuspensionIsNoWishOfTheUser) {
    facts.tasks = {task("a", 2 * gib)};
    turn(giving(4 * gib));
    turns(giving(gib), 3);
    policy.client_restarted(facts.saved);
    find("a").suspended_by_gui = false;
    find("a").state = ProcessState::executing;
    EXPECT_EQ(turn(giving(gib)).suspend, ids({"a"}));
}

TEST_F(PolicyTest, TasksOfADetachedProjectLeaveNothingBehind) {
    facts.tasks = {task("a", 2 * gib), task("users", 3 * gib), task("stays", 100 * mib)};
    turn(giving(8 * gib));
    turns(giving(gib), 30);
    ASSERT_TRUE(find("a").suspended_by_gui);
    find("users").suspended_by_gui = false;  // the user insists
    find("users").state = ProcessState::executing;
    turn(giving(gib));
    ASSERT_GE(limit(), 3 * gib);
    facts.tasks = {task("stays", 100 * mib)};
    turns(giving(gib), 10);
    EXPECT_NEAR(static_cast<double>(limit()), gib, 2 * mib);
    EXPECT_TRUE(policy.waiting().empty());
    EXPECT_EQ(policy.saved_state(), SavedState());
    // Attached again, it sends tasks of the same names: nobody has asked that they run or wait.
    facts.tasks = {task("a", 300 * mib), task("users", 3 * gib), task("stays", 100 * mib)};
    EXPECT_EQ(turn(giving(gib)).suspend, ids({"users"}));
}

TEST_F(PolicyTest, AnEndlessQueueIsHeldAFewTasksATurn) {
    for (int i = 0; i < 100; ++i) {
        facts.tasks.push_back(task(std::to_string(i), 0, ProcessState::none));
        facts.tasks.back().current_cpu = Cpu(0);
        facts.tasks.back().bound_bytes = 2 * gib;
    }
    turn(giving(4 * gib));
    EXPECT_EQ(turn(giving(gib)).suspend.size(), Policy::max_orders);
    turns(giving(gib), 20);
    EXPECT_LT(limit(), 2 * gib);
}

TEST_F(PolicyTest, ATaskThatWaitedForLongGoesBeforeOthers) {
    facts.tasks = {task("large", 900 * mib), task("small", 500 * mib)};
    turn(giving(4 * gib));
    turn(giving(gib + 100 * mib));
    ASSERT_TRUE(find("large").suspended_by_gui);
    turns(giving(gib + 100 * mib), 1900);
    EXPECT_FALSE(find("large").suspended_by_gui);
    EXPECT_TRUE(find("small").suspended_by_gui);
}

TEST_F(PolicyTest, AfterARestartOfTheClientATaskWillNeedItsMemoryAgain) {
    facts.tasks = {task("a", 200 * mib)};
    turn(giving(4 * gib));
    policy.client_restarted(facts.saved);
    find("a").true_bytes = find("a").client_bytes = 10 * mib;
    EXPECT_EQ(turn(giving(150 * mib)).suspend, ids({"a"}));
}

}  // namespace
}  // namespace tmm::boinc
