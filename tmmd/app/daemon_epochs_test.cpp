// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// When the daemon ends an epoch, and the epochs in which nothing tells of people.
#include <gtest/gtest.h>

#include <algorithm>

#include "tmmd/app/daemon.hpp"
#include "tmmd/app/daemon_fixture.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::app {
namespace {

using core::Seconds;

class DaemonEpochsTest : public DaemonFixture {
protected:
    // Returns a daemon that saw work, and then as many seconds without. Nothing tells of people.
    Daemon make_left(int length) {
        Daemon daemon = make_daemon();
        EXPECT_TRUE(daemon.start(now_));
        run_for(daemon, 20);
        machine_.owner_works = false;
        run_for(daemon, length);
        return daemon;
    }
};

// A program that takes memory, and sleeps then, is not taken for a job of the night.
TEST_F(DaemonEpochsTest, KeepsTheMemoryOfAProgramThatSleeps) {
    Daemon daemon = make_left(20);
    for (core::PageKey page = 10000; page < 11000; ++page)
        machine_.appeared.push_back({.key = page, .cgroup = 8});
    machine_.opaque += core::Pages(1000);
    run_for(daemon, 300);
    const std::vector<core::CgroupKeeps>& kept = machine_.kept.back().by_cgroup;
    const auto program = std::find_if(kept.begin(), kept.end(), [](const core::CgroupKeeps& one) { return one.cgroup == 8; });
    ASSERT_NE(program, kept.end());
    EXPECT_GE(program->pages, core::Pages(1000));
}

// Work, then a break, with epochs of the pace's length.
TEST_F(DaemonEpochsTest, AnIdleMachineIsSampledEveryTwoMinutes) {
    Daemon daemon = make_daemon(config::Config{});
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 60);
    EXPECT_GE(machine_.samples, 6) << "at least every ten seconds";
    machine_.owner_works = false;
    run_for(daemon, 300);
    const int before = machine_.samples;
    run_for(daemon, 600);
    EXPECT_LE(machine_.samples - before, 3);
}

TEST_F(DaemonEpochsTest, AFailedSourceEndsAnIdleEpoch) {
    Daemon daemon = make_daemon(config::Config{});
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 60);
    machine_.owner_works = false;
    run_for(daemon, 600);
    machine_.due = false;  // it would not let the epoch end for long
    const int before = machine_.samples;
    run_for(daemon, 600);
    ASSERT_EQ(machine_.samples, before);
    machine_.source_failed = true;
    run_for(daemon, 1);
    EXPECT_EQ(machine_.samples, before + 1) << "so that another takes its place";
}

TEST_F(DaemonEpochsTest, ABusyProcessorWakesIt) {
    Daemon daemon = make_daemon(config::Config{});
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 60);
    machine_.owner_works = false;
    run_for(daemon, 600);
    const int before = machine_.samples;
    machine_.owner_works = true;
    set_cpu(Seconds(0.5));
    run_for(daemon, 1);  // which sees it, and wants a scan
    EXPECT_TRUE(run_for(daemon, 1)) << "the owner is back";
    EXPECT_GE(machine_.samples, before + 1);
}

TEST_F(DaemonEpochsTest, ABreakThatIsShorterThanAnEpochIsABreak) {
    machine_.cost_of_a_sample = Seconds(0.03);  // epochs of 17 s in use, of nearly three minutes after that
    config::Config config;
    config.policy.ageing.noise_rate_per_s = 2;
    Daemon daemon = make_daemon(config);
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 400);
    machine_.owner_works = false;
    run_for(daemon, 60);
    const int before = machine_.samples;
    run_for(daemon, 80);
    ASSERT_EQ(machine_.samples, before) << "most of the break is one epoch";
    machine_.owner_works = true;
    set_cpu(Seconds(0.5));
    run_for(daemon, 1);
    EXPECT_TRUE(run_for(daemon, 1));
    tree_.file("proc/vmstat", "pgmajfault 45\nworkingset_refault_anon 1\nworkingset_refault_file 1\n");
    run_for(daemon, 40);
    EXPECT_EQ(daemon.usage().last_return_faults(), 40U);
}

TEST_F(DaemonEpochsTest, AProgramThatTakesMemoryEndsABreak) {
    Daemon daemon = make_left(200);
    tree_.file("proc/vmstat", "pgmajfault 45\nworkingset_refault_anon 1\nworkingset_refault_file 1\n");
    run_for(daemon, 1);
    EXPECT_EQ(daemon.usage().last_return_faults(), 0U) << "of a job by night";
    machine_.opaque += core::Pages(1000);
    run_for(daemon, 1);
    tree_.file("proc/vmstat", "pgmajfault 75\nworkingset_refault_anon 1\nworkingset_refault_file 1\n");
    run_for(daemon, 1);
    EXPECT_EQ(daemon.usage().last_return_faults(), 30U);
}

TEST_F(DaemonEpochsTest, MissesWakeItThoughWhoWaitsUsesNoProcessor) {
    Daemon daemon = make_daemon(config::Config{});
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 60);
    machine_.owner_works = false;
    run_for(daemon, 600);
    const int before = machine_.samples;
    machine_.refaults_per_poll = core::Pages(200);
    EXPECT_TRUE(run_for(daemon, 2));
    EXPECT_EQ(machine_.samples, before + 1);
}

TEST_F(DaemonEpochsTest, ByThePaperMissesCorrectTheLimit) {
    config::Config config;
    config.policy.objective = core::Objective::paper;
    Daemon daemon = make_daemon(config);
    ASSERT_TRUE(daemon.start(now_));
    EXPECT_EQ(run_for(daemon, 500).value_or(core::Decision()).kind, core::DecisionKind::learning);
    run_for(daemon, 200);
    const core::Pages before = machine_.written.back().opaque;
    EXPECT_LT(before, core::Pages(10000)) << "a period is over";
    machine_.owner_works = false;
    run_for(daemon, 600);
    EXPECT_EQ(machine_.written.back().opaque, before);
    machine_.refaults_per_poll = core::Pages(200);
    const auto at_once = run_for(daemon, 2);
    ASSERT_TRUE(at_once);
    EXPECT_EQ(at_once->kind, core::DecisionKind::corrected);
    EXPECT_GT(machine_.written.back().opaque, before);
}

TEST_F(DaemonEpochsTest, AnIdleTickOnlyLooks) {
    Daemon daemon = make_daemon(config::Config{});
    ASSERT_TRUE(daemon.start(now_));
    machine_.owner_works = false;
    run_for(daemon, 600);
    const int samples = machine_.samples;
    const int polls = machine_.polls;
    EXPECT_FALSE(run_for(daemon, 1)) << "nothing to decide";
    EXPECT_EQ(machine_.samples, samples);
    EXPECT_EQ(machine_.polls, polls + 1);
}

TEST_F(DaemonEpochsTest, TellsWhatContributionsUseBeforeTheEpochEnds) {
    Daemon daemon = make_daemon(config::Config{});
    ASSERT_TRUE(daemon.start(now_));
    machine_.owner_works = false;
    run_for(daemon, 600);
    machine_.transparent = core::Pages(100);
    EXPECT_FALSE(run_for(daemon, 1)) << "nothing to decide";
    EXPECT_EQ(daemon.decided().wanted().memory->transparent, core::Pages(100));
}

TEST_F(DaemonEpochsTest, AnExpensiveSampleIsMadeSmaller) {
    machine_.cost_of_a_sample = Seconds(1);
    Daemon daemon = make_daemon(config::Config{});
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 1500);
    EXPECT_EQ(machine_.rate_changes, 0) << "3000 samples are already few";
}

TEST_F(DaemonEpochsTest, ASourceWithoutARateKeepsItsPages) {
    machine_.has_rate = false;
    Daemon daemon = make_daemon(config::Config{});
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 1500);
    EXPECT_LT(machine_.rate_changes, -1) << "cheap samples are asked to be more, again and again";
    EXPECT_GT(daemon.decided().policy().known_samples(), 2900U) << "no page was forgotten";
}

TEST_F(DaemonEpochsTest, AnEpochEndsWhenItsSourceIsReady) {
    Daemon daemon = make_daemon(config::Config{});
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 1);
    machine_.due = false;
    const int samples = machine_.samples;
    run_for(daemon, 100);
    EXPECT_EQ(machine_.samples, samples);
    machine_.due = true;
    run_for(daemon, 1);
    EXPECT_EQ(machine_.samples, samples + 1);
}

TEST_F(DaemonEpochsTest, AnEpochWaitsForThePreparationsOfItsSource) {
    Daemon daemon = make_daemon(config::Config{});
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 60);
    machine_.owner_works = false;
    run_for(daemon, 600);
    const int samples = machine_.samples;
    const int before = machine_.preparations;
    run_for(daemon, 30);
    ASSERT_EQ(machine_.preparations, before) << "none within an epoch";
    machine_.prepared = false;
    set_cpu(Seconds(0.5));  // somebody is back, and the epoch is to end
    run_for(daemon, 2);
    EXPECT_EQ(machine_.preparations, before + 1);
    run_for(daemon, 3);  // nothing runs any more
    EXPECT_EQ(machine_.preparations, before + 4) << "what has begun is ended";
    EXPECT_EQ(machine_.samples, samples);
    machine_.prepared = true;
    EXPECT_TRUE(run_for(daemon, 1));
    EXPECT_EQ(machine_.samples, samples + 1);
}

TEST_F(DaemonEpochsTest, PreparationsArePartOfTheCostOfAScan) {
    machine_.cost_of_preparing = Seconds(0.03);
    Daemon daemon = make_daemon(config::Config{});
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 400);
    const int before = machine_.samples;
    run_for(daemon, 400);
    EXPECT_NEAR(machine_.samples - before, 400 / 17, 4) << "as with samples of that cost";
}

TEST_F(DaemonEpochsTest, AFailedSourceIsNotWaitedFor) {
    Daemon daemon = make_daemon(config::Config{});
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 60);
    machine_.prepared = false;
    run_for(daemon, 60);
    const int samples = machine_.samples;
    machine_.source_failed = true;
    run_for(daemon, 1);
    EXPECT_EQ(machine_.samples, samples + 1);
}

TEST_F(DaemonEpochsTest, DearLooksLeaveLessForSamples) {
    machine_.cost_of_a_sample = Seconds(0.018);  // every 10 s at 0.18 %
    Daemon daemon = make_daemon(config::Config{});
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 300);
    const int learning = machine_.samples;
    run_for(daemon, 200);
    EXPECT_NEAR(machine_.samples - learning, 20, 2);
    machine_.poll_cost = Seconds(0.0009);  // which leaves half
    run_for(daemon, 200);
    const int slower = machine_.samples;
    run_for(daemon, 200);
    EXPECT_NEAR(machine_.samples - slower, 10, 2);
}

}  // namespace
}  // namespace tmm::app
