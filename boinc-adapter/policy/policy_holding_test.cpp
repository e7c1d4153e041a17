// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tasks that are held: which of them end and which stay in memory, and what those that stay use.
#include <gtest/gtest.h>

#include "boinc-adapter/policy/policy_fixture.hpp"

namespace tmm::boinc {
namespace {

using std::chrono::seconds;

// BOINC's wrapper is suspended at once, and its child runs on.
TEST_F(PolicyTest, ATaskThatRunsOnThoughItIsHeldCountsAsUsed) {
    facts.tasks = {task("wrapped", 700 * mib), task("a", 200 * mib), task("b", 250 * mib)};
    find("wrapped").processor = Cpu(0);
    turn(giving(4 * gib));
    const auto turn_with_load = [&](double share) {
        *find("wrapped").processor += Cpu(2 * share);
        return turn(giving(800 * mib));
    };
    ASSERT_EQ(turn_with_load(1).suspend, ids({"wrapped"}));
    // A moment is no reason to hold the others.
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(turn_with_load(1).suspend.empty()) << i;
    EXPECT_EQ(turn_with_load(1).suspend, ids({"a", "b"})) << "only 30 MiB of the donation are left";
    // Stopped at last, it leaves its room to others.
    for (int i = 0; i < 30; ++i)
        turn_with_load(0);
    EXPECT_TRUE(find("wrapped").suspended_by_gui);
    EXPECT_FALSE(find("a").suspended_by_gui || find("b").suspended_by_gui);
}

TEST_F(PolicyTest, ASuspendedTaskThatOnlyListensStandsStill) {
    facts.tasks = {task("held", 700 * mib), task("a", 200 * mib)};
    find("held").processor = Cpu(0);
    turn(giving(4 * gib));
    turn(giving(500 * mib));
    ASSERT_TRUE(find("held").suspended_by_gui);
    for (int i = 0; i < 60; ++i) {
        *find("held").processor += Cpu(0.1);  // BOINC's library asks the client ten times a second
        EXPECT_TRUE(turn(giving(500 * mib)).suspend.empty());
    }
    // A turn after a long rest sees the same.
    *find("held").processor += Cpu(1);
    EXPECT_TRUE(turn(giving(500 * mib), seconds(21)).suspend.empty());
}

TEST_F(PolicyTest, BesideMemoryForWhichSwapHasNoRoomNothingBeginsAndWhatRunsGoesOn) {
    for (const std::uint64_t swap : {gib, 100 * mib, std::uint64_t(0)}) {
        policy = Policy();
        facts.ours.reset();
        is_new = true;
        facts.users.leave_in_memory = true;  // so that none is asked to end
        facts.tasks = {task("held", 700 * mib), task("a", 200 * mib), task("users", 100 * mib, ProcessState::suspended),
                       task("back", 100 * mib)};
        find("users").suspended_by_gui = true;
        facts.swap_free_bytes = 8 * gib;
        turn(giving(4 * gib));
        turn(giving(250 * mib));
        ASSERT_TRUE(find("held").suspended_by_gui && find("a").suspended_by_gui && !find("back").suspended_by_gui);
        facts.swap_free_bytes = swap;
        find("held").resident_bytes = 700 * mib;
        find("users").resident_bytes = 100 * mib;
        facts.tasks.push_back(task("queued", 0, ProcessState::none));
        find("queued").bound_bytes = 100 * mib;
        find("queued").current_cpu = Cpu(0);
        turns(giving(600 * mib), 30);
        EXPECT_EQ(find("a").suspended_by_gui, swap != gib) << swap;
        EXPECT_EQ(find("queued").suspended_by_gui, swap != gib) << swap;
        EXPECT_FALSE(find("back").suspended_by_gui) << "it runs";
        // The kernel has evicted them, as far as it could.
        find("held").resident_bytes = 0;
        find("users").resident_bytes = 0;
        facts.swap_free_bytes = 0;
        turns(giving(600 * mib), 30);
        EXPECT_FALSE(find("a").suspended_by_gui || find("queued").suspended_by_gui) << swap;
    }
}

// From 8.2.14 on, the client would end "b" for the address space of "a", if "a" were to be computed first.
TEST_F(PolicyTest, ATaskComesBackOnlyWhereItsAddressSpaceHasRoomBesideThoseThatRun) {
    facts.tasks = {task("a", gib), task("b", 300 * mib)};
    facts.address_limit = 3 * gib;
    find("a").address_bytes = 2 * gib;
    turn(giving(4 * gib));
    turns(giving(500 * mib), 20);
    ASSERT_TRUE(find("a").suspended_by_gui);
    find("b").address_bytes = gib + mib;
    turns(giving(4 * gib), 60);
    EXPECT_TRUE(find("a").suspended_by_gui);
    find("b").address_bytes = gib;
    turns(giving(4 * gib), 2);
    EXPECT_FALSE(find("a").suspended_by_gui);
}

TEST_F(PolicyTest, ATaskThatHasWaitedLongGetsAddressSpaceOfOthersOnceTheyStandStill) {
    facts.tasks = {task("a", gib), task("b", 300 * mib)};
    facts.users.leave_in_memory = true;
    facts.address_limit = 3 * gib;
    find("a").address_bytes = find("b").address_bytes = 2 * gib;
    turn(giving(4 * gib));
    turns(giving(500 * mib), 20);
    ASSERT_TRUE(find("a").suspended_by_gui);
    pass(HeldTask::max_wait);
    EXPECT_EQ(turn(giving(4 * gib)).suspend, ids({"b"}));
    EXPECT_EQ(turn(giving(4 * gib)).resume, ids({"a"}));
}

TEST_F(PolicyTest, ATaskWhoseAddressSpaceIsBeyondTheLimitWaitsForNone) {
    facts.tasks = {task("a", gib), task("b", 300 * mib)};
    facts.address_limit = 3 * gib;
    find("a").address_bytes = 4 * gib;
    turn(giving(4 * gib));
    turns(giving(500 * mib), 20);
    ASSERT_TRUE(find("a").suspended_by_gui);
    turns(giving(4 * gib), 20);
    EXPECT_FALSE(find("a").suspended_by_gui) << "the client does not run it, as before";
}

TEST_F(PolicyTest, TheClientsLimitLeavesOutWhatSuspendedTasksKeep) {
    facts.users.leave_in_memory = true;
    facts.swap_free_bytes = 0;
    facts.tasks = {task("users", 300 * mib, ProcessState::suspended)};
    find("users").suspended_by_gui = true;
    find("users").resident_bytes = 300 * mib;
    turn(giving(gib));
    turns(giving(gib), 30);
    EXPECT_NEAR(static_cast<double>(limit()), gib - 300.0 * mib, 2 * mib);
}

TEST_F(PolicyTest, ItsOwnMemoryDoesNotKeepATaskFromComingBack) {
    facts.users.leave_in_memory = true;
    facts.swap_free_bytes = 0;
    facts.tasks = {task("a", 700 * mib)};
    find("a").resident_bytes = 700 * mib;
    turn(giving(4 * gib));
    turn(giving(500 * mib));
    ASSERT_TRUE(find("a").suspended_by_gui);
    turns(giving(gib), 30);
    EXPECT_FALSE(find("a").suspended_by_gui);
    // After a pause, all tasks are suspended for a moment.
    find("a").state = ProcessState::suspended;
    EXPECT_TRUE(turn(giving(gib)).suspend.empty());
}

// The two large ones have to stand still; only one of them saved its work a moment ago.
class EndsOrStays : public PolicyTest {
protected:
    EndsOrStays() {
        facts.tasks = {task("saved", gib), task("unsaved", gib), task("a", 100 * mib)};
        for (TaskFacts& each : facts.tasks)
            each.resident_bytes = each.true_bytes;
        find("saved").checkpoint_cpu = Cpu(999);
        find("unsaved").checkpoint_cpu = Cpu(900);
        facts.swap_free_bytes = 8 * gib;
        turn(giving(4 * gib));
    }
    Orders squeeze() { return turn(giving(500 * mib)); }
};

TEST_F(EndsOrStays, ATaskThatSavedItsWorkEndsFirstAndAnotherIsKeptAndEvicted) {
    Orders orders = squeeze();
    EXPECT_EQ(orders.suspend, ids({"saved"}));
    ASSERT_TRUE(orders.preferences);
    EXPECT_FALSE(orders.preferences->leave_in_memory);
    EXPECT_EQ(find("saved").state, ProcessState::none);
    orders = squeeze();
    ASSERT_TRUE(orders.preferences);
    EXPECT_TRUE(orders.preferences->leave_in_memory);
    EXPECT_TRUE(orders.suspend.empty()) << "the client reads it first";
    EXPECT_EQ(squeeze().suspend, ids({"unsaved"}));
    EXPECT_EQ(find("unsaved").state, ProcessState::suspended);
    EXPECT_EQ(find("a").state, ProcessState::executing);
    turns(giving(4 * gib), 60);
    EXPECT_FALSE(find("saved").suspended_by_gui || find("unsaved").suspended_by_gui);
}

// The client would end that one, too, as soon as it reads that none is to stay.
TEST_F(EndsOrStays, BesideATaskThatStandsStillInMemoryNoneIsAskedToEnd) {
    const auto wait = [](TaskFacts& task, bool by_user) {
        task.state = ProcessState::suspended;  // by BOINC's scheduler, if not by its user
        task.suspended_by_gui = by_user;
    };
    for (const bool by_user : {false, true}) {
        facts.tasks.push_back(task(by_user ? "users" : "preempted", 10 * mib));
        wait(facts.tasks.back(), by_user);
        EXPECT_EQ(squeeze().suspend, ids({"saved", "unsaved"})) << by_user;
        EXPECT_TRUE(facts.ours->leave_in_memory);
        turns(giving(500 * mib), 20);
        EXPECT_EQ(facts.tasks.back().state, by_user ? ProcessState::suspended : ProcessState::executing);
        EXPECT_TRUE(facts.ours->leave_in_memory);
        turns(giving(4 * gib), 600);
        facts.tasks.pop_back();
    }
    // Without a checkpoint the client keeps it anyway.
    facts.tasks.push_back(task("new", 10 * mib));
    wait(facts.tasks.back(), true);
    facts.tasks.back().checkpoint_cpu = Cpu(0);
    EXPECT_EQ(squeeze().suspend, ids({"saved"}));
    EXPECT_FALSE(facts.ours->leave_in_memory);
}

TEST_F(EndsOrStays, BesideAnOrderToStandStillThatIsUnderWayNoneIsAskedToEnd) {
    find("saved").checkpoint_cpu = Cpu(900);
    obeys = false;
    EXPECT_EQ(squeeze().suspend, ids({"saved", "unsaved"}));
    find("a").true_bytes = find("a").client_bytes = find("a").resident_bytes = 700 * mib;
    find("a").checkpoint_cpu = Cpu(999);
    EXPECT_EQ(squeeze().suspend, ids({"a"}));
    EXPECT_TRUE(facts.ours->leave_in_memory);
}

TEST_F(EndsOrStays, WhileOneEndsNoOtherWithProcessesIsSuspended) {
    obeys = false;
    ASSERT_EQ(squeeze().suspend, ids({"saved"}));
    for (const ProcessState state : {ProcessState::executing, ProcessState::quitting}) {
        find("saved").state = state;
        for (int i = 0; i < 20; ++i) {
            EXPECT_TRUE(squeeze().suspend.empty()) << "it would end, too";
            EXPECT_FALSE(facts.ours->leave_in_memory);
        }
    }
    find("saved").state = ProcessState::none;
    EXPECT_TRUE(squeeze().suspend.empty());
    EXPECT_TRUE(facts.ours->leave_in_memory) << "the client reads it first";
    EXPECT_EQ(squeeze().suspend, ids({"unsaved"}));
}

TEST_F(EndsOrStays, ATaskThatNeverEndsDoesNotKeepTheOthersForever) {
    obeys = false;
    ASSERT_EQ(squeeze().suspend, ids({"saved"}));
    turns(giving(500 * mib), 40);
    EXPECT_FALSE(find("unsaved").suspended_by_gui);
    turns(giving(500 * mib), 10);
    EXPECT_TRUE(find("unsaved").suspended_by_gui);
    EXPECT_TRUE(facts.ours->leave_in_memory);
}

TEST_F(EndsOrStays, ANewAdapterThatStillWatchesLetsTasksEndToo) {
    policy = Policy();
    facts.ours.reset();
    is_new = false;
    squeeze();
    EXPECT_EQ(squeeze().suspend, ids({"saved"}));
    EXPECT_EQ(facts.ours, (Preferences{50, 90, false}));
    squeeze();
    EXPECT_EQ(facts.ours, (Preferences{50, 90, true})) << "only the user's limit counts";
    EXPECT_EQ(squeeze().suspend, ids({"unsaved"}));
}

// The client ends it at each stop, and its processor's time does not tell how much it has done.
TEST_F(EndsOrStays, ATaskOnAGraphicsCardGoesOnAndTakesItsRoom) {
    find("unsaved").uses_gpu = true;
    find("unsaved").checkpoint_cpu = find("unsaved").current_cpu;
    find("saved").checkpoint_cpu = Cpu(900);
    EXPECT_EQ(squeeze().suspend, ids({"a", "saved"}));
    turns(giving(500 * mib), 20);
    EXPECT_EQ(find("unsaved").state, ProcessState::executing);
    EXPECT_GE(limit(), gib);
    // One that has not begun waits for room.
    find("unsaved").state = ProcessState::none;
    EXPECT_EQ(squeeze().suspend, ids({"unsaved"}));
}

// Its end would bring back the user's preference not to keep tasks, before the client has let them run.
TEST_F(EndsOrStays, WhenTmmEndsTasksRunAgainBeforeThePreferencesComeBack) {
    find("saved").checkpoint_cpu = Cpu(900);
    squeeze();
    ASSERT_EQ(find("saved").state, ProcessState::suspended);
    obeys = false;
    turn(absent);
    EXPECT_EQ(facts.ours, (Preferences{50, 90, true})) << "under the user's limit, but in memory";
    turn(absent);
    EXPECT_FALSE(find("saved").suspended_by_gui || find("unsaved").suspended_by_gui);
    EXPECT_TRUE(facts.ours);
    obeys = true;
    find("saved").state = find("unsaved").state = ProcessState::executing;
    EXPECT_TRUE(turn(absent).restore_preferences);
    EXPECT_FALSE(facts.ours);
}

TEST_F(EndsOrStays, ATaskThatDoesNotRunAgainDoesNotKeepThePreferencesForever) {
    find("saved").checkpoint_cpu = Cpu(900);
    squeeze();
    obeys = false;
    turns(absent, 4);
    EXPECT_TRUE(facts.ours) << "the client has no processor for it";
    turns(absent, 2);
    EXPECT_FALSE(facts.ours);
}

TEST_F(EndsOrStays, ATaskEndsOnceInTenMinutes) {
    const auto squeezed_and_back = [&] {
        for (int i = 0; i < 3; ++i)
            squeeze();
        const ProcessState state = find("saved").state;
        turns(giving(4 * gib), 60);
        EXPECT_FALSE(find("saved").suspended_by_gui);
        for (const char* name : {"saved", "unsaved"})
            find(name).state = ProcessState::executing;
        return state;
    };
    EXPECT_EQ(squeezed_and_back(), ProcessState::none);
    EXPECT_EQ(squeezed_and_back(), ProcessState::suspended);
    turns(giving(4 * gib), 300);
    EXPECT_EQ(squeezed_and_back(), ProcessState::none);
}

TEST_F(EndsOrStays, IfItsUserKeepsTasksInMemoryAllStay) {
    facts.users.leave_in_memory = true;
    EXPECT_EQ(squeeze().suspend, ids({"saved", "unsaved"}));
    turns(giving(500 * mib), 20);
    EXPECT_TRUE(facts.ours->leave_in_memory);
    EXPECT_EQ(find("saved").state, ProcessState::suspended);
}

TEST_F(EndsOrStays, IfNobodyNeedsItsMemoryAllStay) {
    // They fit now, and will grow; swap has no room.
    facts.swap_free_bytes = 0;
    for (const char* name : {"saved", "unsaved", "a"})
        find(name).resident_bytes = 100 * mib;
    EXPECT_EQ(squeeze().suspend, ids({"saved", "unsaved"}));
    EXPECT_TRUE(facts.ours->leave_in_memory);
}

TEST_F(EndsOrStays, WithoutTheRightToPushAllStay) {
    facts.can_push = false;
    EXPECT_EQ(squeeze().suspend.size(), 2U);
    EXPECT_TRUE(facts.ours->leave_in_memory);
}

TEST_F(EndsOrStays, OffAUserWhoKeepsTasksInMemoryKeepsThem) {
    find("unsaved").checkpoint_cpu = Cpu(999);
    EXPECT_TRUE(should_quit(facts, off));
    facts.users.leave_in_memory = true;
    EXPECT_FALSE(should_quit(facts, off));
}

TEST_F(PolicyTest, OffWithRecentCheckpointsTasksMayEnd) {
    facts.tasks = {task("a", gib)};
    turn(giving(4 * gib));
    const Orders orders = turn(off);
    ASSERT_TRUE(orders.preferences);
    EXPECT_FALSE(orders.preferences->leave_in_memory);
    EXPECT_TRUE(orders.stop_for);
}

TEST_F(PolicyTest, WithoutARecentCheckpointTheyStay) {
    facts.tasks = {task("a", gib), task("b", gib)};
    for (const double checkpoint : {0.0, 900.0}) {
        find("b").checkpoint_cpu = Cpu(checkpoint);
        EXPECT_FALSE(should_quit(facts, off));
    }
    find("b").checkpoint_cpu = Cpu(985);
    EXPECT_TRUE(should_quit(facts, off));
    EXPECT_FALSE(should_quit(facts, paused));  // soon over
}

// All three saved their work a moment ago, and none is frozen.
class Stopped : public EndsOrStays {
protected:
    static constexpr Donation until_resumed{Donation::State::paused, 0, false, true};

    Stopped() { find("unsaved").checkpoint_cpu = Cpu(990); }
    // Returns whether the client is told to end what it stops.
    bool ends(const Donation& donation) {
        turn(donation);
        return !facts.ours->leave_in_memory;
    }
};

TEST_F(Stopped, APauseUntilSomebodyResumesIsAsLongAsOff) {
    EXPECT_TRUE(should_quit(facts, until_resumed));
    Donation frozen = until_resumed;
    frozen.is_frozen = true;
    EXPECT_FALSE(should_quit(facts, frozen)) << "the client could not even be asked";
    find("unsaved").checkpoint_cpu = Cpu(900);
    EXPECT_FALSE(should_quit(facts, until_resumed));
}

TEST_F(Stopped, ForATimeTasksEndOnlyIfTheirMemoryIsNeededAndSwapHasNoRoom) {
    facts.available_bytes = gib;
    EXPECT_FALSE(should_quit(facts, paused)) << "swap has room";
    facts.swap_free_bytes = 1500 * mib;
    EXPECT_TRUE(should_quit(facts, paused)) << "for each, but not for all";
    facts.swap_free_bytes = 0;
    EXPECT_TRUE(should_quit(facts, paused));
    facts.available_bytes = 2 * gib;
    EXPECT_FALSE(should_quit(facts, paused)) << "nobody needs it";
    facts.available_bytes.reset();
    EXPECT_FALSE(should_quit(facts, paused)) << "nobody knows";
}

// tmmd freezes nothing then.
TEST_F(Stopped, WithNextToNothingGivenTheyEndAsWell) {
    EXPECT_FALSE(ends(giving(10 * mib))) << "swap has room";
    turns(giving(4 * gib), 2);
    facts.swap_free_bytes = 0;
    for (TaskFacts& each : facts.tasks)
        each.resident_bytes = 3 * mib;
    EXPECT_FALSE(ends(giving(10 * mib))) << "their memory is evicted already";
    turns(giving(4 * gib), 2);
    for (TaskFacts& each : facts.tasks)
        each.resident_bytes = each.true_bytes;
    EXPECT_TRUE(ends(giving(10 * mib)));
}

TEST_F(Stopped, AStopThatComesAndGoesEndsATaskOnceInTenMinutes) {
    facts.swap_free_bytes = 0;
    EXPECT_TRUE(ends(giving(10 * mib)));
    EXPECT_TRUE(ends(giving(10 * mib))) << "it is the same stop";
    turns(giving(4 * gib), 30);
    EXPECT_FALSE(ends(giving(10 * mib)));
    EXPECT_FALSE(ends(off));
    turns(giving(4 * gib), 300);
    EXPECT_TRUE(ends(giving(10 * mib)));
}

TEST_F(PolicyTest, AFrozenOrSuspendedTaskIsNeverAskedToEndForItCannot) {
    facts.tasks = {task("a", gib)};
    Donation frozen = off;
    frozen.is_frozen = true;
    EXPECT_FALSE(should_quit(facts, frozen));
    find("a").state = ProcessState::suspended;
    EXPECT_FALSE(should_quit(facts, off));
}

// The works of a client may be unknown, and a young process leaves no peak of its task: it came back into any room.
TEST(Sizes, ATaskThatEndedYoungNeedsAsMuchAgain) {
    TaskSizes sizes;
    TaskFacts young = task("young", 449 * mib);
    young.current_cpu = Cpu(10);
    young.processor = Cpu(10);
    sizes.observe({young}, {std::chrono::seconds(2), std::chrono::seconds(2)});
    young.state = ProcessState::none;
    young.true_bytes = young.client_bytes = 0;
    for (int second = 4; second < 10; second += 2) {
        sizes.observe({young}, {std::chrono::seconds(second), std::chrono::seconds(second)});
        EXPECT_GE(sizes.need_of(young), 449 * mib);
    }
}

}  // namespace
}  // namespace tmm::boinc
