// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/daemon.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "tmmd/app/daemon_fixture.hpp"

namespace tmm::app {
namespace {

using core::Seconds;
using std::chrono::seconds;

class DaemonTest : public DaemonFixture {};

TEST_F(DaemonTest, ProtectsFirstThenGives) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 1);
    ASSERT_EQ(world_.written.size(), 1U);
    EXPECT_EQ(world_.written[0], (os::Limits{10000, 0}));
    run_for(daemon, 40);
    EXPECT_LT(world_.written.back().opaque, 5000U);
    EXPECT_GT(world_.written.back().transparent, 5000U);
}

TEST_F(DaemonTest, WritesLimitsOnlyWhenTheyChange) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 14);
    EXPECT_EQ(world_.written.size(), 1U);
}

TEST_F(DaemonTest, MarksTransparentCgroups) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 1);
    EXPECT_EQ(tree_.text("sys/fs/cgroup/transparent.slice/memory.transparent").substr(0, 1), "1");
}

TEST_F(DaemonTest, ADryRunChangesNothing) {
    Daemon daemon = make_daemon(true);
    ASSERT_TRUE(daemon.start(now_));
    const auto decision = run_for(daemon, 40);
    ASSERT_TRUE(decision);
    EXPECT_EQ(decision->kind, core::DecisionKind::measured);
    EXPECT_TRUE(world_.written.empty());
    EXPECT_EQ(tree_.text("sys/fs/cgroup/transparent.slice/memory.transparent"), "0\n");
}

TEST_F(DaemonTest, ABrokenScannerLeavesMemoryToTheKernelAndComesBack) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 40);
    const os::Limits before = world_.written.back();
    world_.scanner_broken = true;
    EXPECT_FALSE(run_for(daemon, 3));
    EXPECT_EQ(world_.sources_open, 0) << "/dev/tmm is closed, so the kernel has its defaults back";
    world_.scanner_broken = false;
    const auto decision = run_for(daemon, 1);
    ASSERT_TRUE(decision);
    EXPECT_EQ(world_.sources_open, 1);
    EXPECT_EQ(world_.written.back(), before) << "what was learned is kept and written anew";
    EXPECT_EQ(decision->kind, core::DecisionKind::measured);
}

TEST_F(DaemonTest, ALimitThatCannotBeWrittenIsTriedAgain) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start(now_));
    world_.sink_broken = true;
    EXPECT_FALSE(run_for(daemon, 1));
    world_.sink_broken = false;
    EXPECT_TRUE(run_for(daemon, 1));
    EXPECT_EQ(world_.written.size(), 1U);
}

TEST_F(DaemonTest, ANewSampleShiftOpensTheSourceAnew) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start(now_));
    Config config = every_second();
    daemon.set_config(config);
    run_for(daemon, 1);
    EXPECT_EQ(world_.opened, 1);
    config.sample_shift = 3;
    daemon.set_config(config);
    run_for(daemon, 1);
    EXPECT_EQ(world_.opened, 2);
    EXPECT_EQ(world_.sources_open, 1);
}

TEST_F(DaemonTest, TheTimelineHasARowForEachDecision) {
    const std::string path = (tree_.path() / "timeline.csv").string();
    Records records;
    records.timeline = Timeline::create(path).value();
    Daemon daemon = make_daemon(false, std::move(records));
    ASSERT_TRUE(daemon.start(now_));
    EXPECT_TRUE(run_for(daemon, 3));
    const std::string text = tree_.text("timeline.csv");
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

TEST_F(DaemonTest, ARecordingHasThePagesOfEachEpoch) {
    Records records;
    records.recorder = Recorder::create((tree_.path() / "a.trace").string(), trace::KeyHash(1, 2)).value();
    Daemon daemon = make_daemon(false, std::move(records));
    ASSERT_TRUE(daemon.start(now_));
    EXPECT_TRUE(run_for(daemon, 3));
    const std::string text = tree_.text("a.trace");
    EXPECT_TRUE(text.starts_with("#tmm-trace 1\n0,o,r,")) << text.substr(0, 40);
    EXPECT_NE(text.find("\n2000000,o,r,"), std::string::npos);
}

TEST_F(DaemonTest, GoesOnWhenARecordingCannot) {
    ASSERT_NE(std::signal(SIGPIPE, SIG_IGN), SIG_ERR);
    const std::string path = (tree_.path() / "pipe").string();
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    UniqueFd reader(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    Records records;
    records.recorder = Recorder::create(path, trace::KeyHash(1, 2)).value();
    Daemon daemon = make_daemon(false, std::move(records));
    ASSERT_TRUE(daemon.start(now_));
    reader.reset();  // nobody takes what is written: an error, as on a full disk
    EXPECT_TRUE(run_for(daemon, 3));
}

// Work, then a break: with epochs as the pace says.
TEST_F(DaemonTest, AnIdleMachineIsSampledEveryTwoMinutes) {
    Daemon daemon = make_daemon(Config{});
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 60);
    EXPECT_GE(world_.samples, 6) << "every ten seconds at least";
    world_.owner_works = false;
    run_for(daemon, 300);
    const int before = world_.samples;
    run_for(daemon, 600);
    EXPECT_LE(world_.samples - before, 3);
}

TEST_F(DaemonTest, ABusyProcessorWakesIt) {
    Daemon daemon = make_daemon(Config{});
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 60);
    world_.owner_works = false;
    run_for(daemon, 600);
    const int before = world_.samples;
    world_.owner_works = true;
    set_cpu(Seconds(0.5));
    EXPECT_TRUE(run_for(daemon, 1)) << "the owner is back";
    EXPECT_GE(world_.samples, before + 1);
}

TEST_F(DaemonTest, ABreakThatIsShorterThanAnEpochIsABreak) {
    world_.cost_of_a_sample = Seconds(0.03);  // epochs of 17 s in use, of nearly three minutes after that
    Config config;
    config.policy.ageing.noise_rate_per_s = 2;
    Daemon daemon = make_daemon(config);
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 400);
    world_.owner_works = false;
    run_for(daemon, 60);
    const int before = world_.samples;
    run_for(daemon, 80);
    ASSERT_EQ(world_.samples, before) << "most of the break is one epoch";
    world_.owner_works = true;
    set_cpu(Seconds(0.5));
    EXPECT_TRUE(run_for(daemon, 1));
    run_for(daemon, 100);
    EXPECT_EQ(daemon.snapshot(now_).returns, 1U);
}

TEST_F(DaemonTest, MissesWakeItThoughWhoWaitsUsesNoProcessor) {
    Daemon daemon = make_daemon(Config{});
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 60);
    world_.owner_works = false;
    run_for(daemon, 600);
    const core::Pages before = world_.written.back().opaque;
    world_.refaults_per_look = 200;
    const auto at_once = run_for(daemon, 1);  // the first look's misses are spread over the quiet time before
    ASSERT_TRUE(at_once);
    const auto after = run_for(daemon, 1);
    ASSERT_TRUE(after);
    EXPECT_TRUE(at_once->kind == core::DecisionKind::corrected || after->kind == core::DecisionKind::corrected);
    EXPECT_GT(world_.written.back().opaque, before);
}

TEST_F(DaemonTest, AnIdleTickOnlyLooks) {
    Daemon daemon = make_daemon(Config{});
    ASSERT_TRUE(daemon.start(now_));
    world_.owner_works = false;
    run_for(daemon, 600);
    const int samples = world_.samples;
    const int looks = world_.looks;
    EXPECT_FALSE(run_for(daemon, 1)) << "nothing to decide";
    EXPECT_EQ(world_.samples, samples);
    EXPECT_EQ(world_.looks, looks + 1);
}

TEST_F(DaemonTest, AnExpensiveSampleIsMadeSmaller) {
    Config config;
    config.pace.rate_period = Seconds(10);
    world_.cost_of_a_sample = Seconds(1);
    Daemon daemon = make_daemon(config);
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 60);
    EXPECT_EQ(world_.rate_changes, 0) << "3000 samples are few already";
}

TEST_F(DaemonTest, DearLooksLeaveLessForSamples) {
    Config config;
    config.pace.longest_active = Seconds(5);
    world_.cost_of_a_sample = Seconds(0.009);  // every 5 s at 0.18 %
    Daemon daemon = make_daemon(config);
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 300);
    const int learning = world_.samples;
    run_for(daemon, 100);
    EXPECT_NEAR(world_.samples - learning, 20, 2);
    world_.cost_of_a_look = Seconds(0.0009);  // which leaves half
    run_for(daemon, 100);
    const int slower = world_.samples;
    run_for(daemon, 100);
    EXPECT_NEAR(world_.samples - slower, 10, 2);
}

TEST_F(DaemonTest, WhatWasLearnedOutlivesIt) {
    os::Limits before;
    {
        Daemon daemon = make_daemon(false, with_state());
        ASSERT_TRUE(daemon.start(now_));
        run_for(daemon, 40);
        before = world_.written.back();
        daemon.save_state();
    }
    world_.written.clear();
    world_.owner_works = false;
    Daemon daemon = make_daemon(false, with_state());
    ASSERT_TRUE(daemon.start(now_));
    const auto decision = run_for(daemon, 1);
    ASSERT_TRUE(decision);
    EXPECT_EQ(decision->kind, core::DecisionKind::measured);
    EXPECT_EQ(world_.written.back(), before);
}

TEST_F(DaemonTest, WhatWasLearnedIsSavedMeanwhile) {
    Daemon daemon = make_daemon(false, with_state());
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 40);
    const std::string first = tree_.text("var/lib/tmm/histogram");
    EXPECT_FALSE(first.empty());
    run_for(daemon, 300);
    EXPECT_TRUE(tree_.text("var/lib/tmm/histogram") == first) << "every ten minutes at most";
    run_for(daemon, 900);
    EXPECT_FALSE(tree_.text("var/lib/tmm/histogram") == first);
}

TEST_F(DaemonTest, AStateThatMakesNoSenseIsSetAside) {
    for (const std::string& text : {std::string("rubbish"), wrap_state("rubbish"), wrap_state("rubbish: 1\n")}) {
        tree_.file("var/lib/tmm/histogram", text);
        std::filesystem::remove(tree_.path() / "var/lib/tmm/histogram.bad");
        Daemon daemon = make_daemon(false, with_state());
        ASSERT_TRUE(daemon.start(now_));
        EXPECT_EQ(tree_.text("var/lib/tmm/histogram.bad"), text);
        EXPECT_EQ(run_for(daemon, 1)->kind, core::DecisionKind::learning);
    }
}

TEST_F(DaemonTest, ADryRunSavesNothing) {
    Daemon daemon = make_daemon(true, with_state());
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 60);
    daemon.save_state();
    EXPECT_FALSE(std::filesystem::exists(tree_.path() / "var/lib/tmm/histogram"));
}

}  // namespace
}  // namespace tmm::app
