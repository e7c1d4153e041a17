// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/daemon.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>

#include "tmmd/app/daemon_fixture.hpp"

namespace tmm::app {
namespace {

class DaemonTest : public DaemonFixture {};

TEST_F(DaemonTest, ProtectsFirstThenGives) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 1);
    ASSERT_EQ(machine_.written.size(), 1U);
    EXPECT_EQ(machine_.written[0], (os::Limits{core::Pages(10000), core::Pages(0)}));
    run_for(daemon, 40);
    EXPECT_LT(machine_.written.back().opaque, core::Pages(5000));
    EXPECT_GT(machine_.written.back().transparent, core::Pages(5000));
}

TEST_F(DaemonTest, MarksTransparentCgroups) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 1);
    EXPECT_EQ(tree_.text("sys/fs/cgroup/transparent.slice/memory.transparent").substr(0, 1), "1");
}

TEST_F(DaemonTest, MarksAContributionThatStartsInABreakAtOnce) {
    Daemon daemon = make_daemon(config::Config{});
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 60);
    machine_.owner_works = false;
    run_for(daemon, 900);
    const int samples = machine_.samples;
    const std::string guest = "sys/fs/cgroup/user.slice/transparent.slice/memory.transparent";
    tree_.file(guest, "0\n").file("sys/fs/cgroup/cgroup.stat", "nr_descendants 3\nnr_dying_descendants 0\n");
    run_for(daemon, 1);
    EXPECT_EQ(machine_.samples, samples) << "the epoch goes on";
    EXPECT_EQ(tree_.text(guest).substr(0, 1), "1");
    const std::string other = "sys/fs/cgroup/system.slice/transparent.slice/memory.transparent";
    tree_.file(other, "0\n");  // another cgroup went
    run_for(daemon, 30);
    EXPECT_EQ(tree_.text(other).substr(0, 1), "1");
}

TEST_F(DaemonTest, ADryRunChangesNothing) {
    Daemon daemon = make_daemon(true);
    ASSERT_TRUE(daemon.start(now_));
    const auto decision = run_for(daemon, 40);
    ASSERT_TRUE(decision);
    EXPECT_EQ(decision->kind, core::DecisionKind::measured);
    EXPECT_TRUE(machine_.written.empty());
    EXPECT_EQ(machine_.told_to_keep, 0) << "the source would have the kernel sort pages";
    EXPECT_EQ(tree_.text("sys/fs/cgroup/transparent.slice/memory.transparent"), "0\n");
}

TEST_F(DaemonTest, TheSourceLearnsWhatEachScanCameTo) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 10);
    EXPECT_EQ(machine_.told_to_keep, 10);
}

TEST_F(DaemonTest, ABrokenScannerLeavesMemoryToTheKernelAndComesBack) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 40);
    const os::Limits before = machine_.written.back();
    machine_.scanner_broken = true;
    EXPECT_FALSE(run_for(daemon, 3));
    EXPECT_EQ(machine_.sources_open, 0) << "/dev/tmm is closed, so the kernel has its defaults back";
    machine_.scanner_broken = false;
    const auto decision = run_for(daemon, 1);
    ASSERT_TRUE(decision);
    EXPECT_EQ(machine_.sources_open, 1);
    EXPECT_EQ(machine_.written.back(), before) << "the learned state is kept and its limits are written again";
    EXPECT_EQ(decision->kind, core::DecisionKind::measured);
}

TEST_F(DaemonTest, ALimitThatCannotBeWrittenIsTriedAgain) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start(now_));
    machine_.sink_broken = true;
    EXPECT_FALSE(run_for(daemon, 1));
    machine_.sink_broken = false;
    EXPECT_TRUE(run_for(daemon, 1));
    EXPECT_EQ(machine_.written.size(), 1U);
}

TEST_F(DaemonTest, ANewSampleShiftOpensTheSourceAnew) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start(now_));
    config::Config config = every_second();
    daemon.set_config(config);
    run_for(daemon, 1);
    EXPECT_EQ(machine_.opened, 1);
    config.sample_shift = 3;
    daemon.set_config(config);
    run_for(daemon, 1);
    EXPECT_EQ(machine_.opened, 2);
    EXPECT_EQ(machine_.sources_open, 1);
}

TEST_F(DaemonTest, TheTimelineHasARowForEachDecision) {
    const std::string path = (tree_.path() / "timeline.csv").string();
    Outputs outputs;
    outputs.timeline = Timeline::create(path).value();
    Daemon daemon = make_daemon(false, std::move(outputs));
    ASSERT_TRUE(daemon.start(now_));
    EXPECT_TRUE(run_for(daemon, 3));
    const std::string text = tree_.text("timeline.csv");
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

TEST_F(DaemonTest, ARecordingHasThePagesOfEachEpoch) {
    Outputs outputs;
    outputs.recorder = Recorder::create((tree_.path() / "a.trace").string(), trace::KeyHash(1, 2)).value();
    Daemon daemon = make_daemon(false, std::move(outputs));
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
    Outputs outputs;
    outputs.recorder = Recorder::create(path, trace::KeyHash(1, 2)).value();
    Daemon daemon = make_daemon(false, std::move(outputs));
    ASSERT_TRUE(daemon.start(now_));
    reader.reset();  // nobody reads the pipe: an error, as on a full disk
    EXPECT_TRUE(run_for(daemon, 3));
}

TEST_F(DaemonTest, TheSourceKnowsTheContributions) {
    tree_.file("sys/fs/cgroup/transparent.slice/task/cgroup.procs", "1\n");
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 2);
    EXPECT_EQ(machine_.source_follows, std::vector<std::string>{"sys/fs/cgroup/transparent.slice"});
}

TEST_F(DaemonTest, WithoutSamplesOpaqueProgramsKeepAll) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start(now_));
    EXPECT_LT(run_for(daemon, 60)->opaque_limit, machine_.total);
    machine_.can_learn = false;
    const auto decision = run_for(daemon, 1);
    EXPECT_EQ(decision->opaque_limit, machine_.total);
    EXPECT_EQ(decision->transparent_limit, core::Pages(0));
    EXPECT_EQ(decision->reason.code, core::ReasonCode::no_samples);
    EXPECT_EQ(machine_.written.back(), (os::Limits{machine_.total, core::Pages(0)}));
    machine_.can_learn = true;
    EXPECT_LT(run_for(daemon, 1)->opaque_limit, machine_.total) << "the histogram was kept";
}

TEST_F(DaemonTest, AnotherSourceHasOtherPages) {
    testing::internal::CaptureStderr();
    const Log log("test", LogLevel::info, false);
    Daemon daemon = make_daemon(log);
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 10);
    EXPECT_EQ(daemon.decided().policy().known_samples(), 3000U);
    machine_.source_id = "other";
    machine_.source_problem = "the first broke";
    run_for(daemon, 1);
    EXPECT_EQ(daemon.decided().policy().known_samples(), 600U);
    run_for(daemon, 10);
    machine_.source_problem = "";
    machine_.source_id = "test";
    run_for(daemon, 10);
    const std::string text = testing::internal::GetCapturedStderr();
    const auto times = [&](const std::string& words) {
        int count = 0;
        for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
            ++count;
        return count;
    };
    EXPECT_EQ(times("samples from a test"), 3) << text;
    EXPECT_EQ(times("the first broke"), 1) << text;
}

TEST_F(DaemonTest, WhatWasLearnedOutlivesIt) {
    os::Limits before;
    {
        Daemon daemon = make_daemon(false, with_state());
        ASSERT_TRUE(daemon.start(now_));
        run_for(daemon, 40);
        before = machine_.written.back();
        daemon.save_state();
    }
    machine_.written.clear();
    machine_.owner_works = false;
    Daemon daemon = make_daemon(false, with_state());
    ASSERT_TRUE(daemon.start(now_));
    const auto decision = run_for(daemon, 1);
    ASSERT_TRUE(decision);
    EXPECT_EQ(decision->kind, core::DecisionKind::measured);
    EXPECT_EQ(machine_.written.back(), before);
}

TEST_F(DaemonTest, WhatWasLearnedIsSavedMeanwhile) {
    Daemon daemon = make_daemon(false, with_state());
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 620);
    const std::string first = tree_.text("var/lib/tmm/histogram");
    EXPECT_FALSE(first.empty());
    run_for(daemon, 300);
    EXPECT_TRUE(tree_.text("var/lib/tmm/histogram") == first) << "at most every ten minutes";
    run_for(daemon, 900);
    EXPECT_FALSE(tree_.text("var/lib/tmm/histogram") == first);
}

TEST_F(DaemonTest, AStateThatMakesNoSenseIsSetAside) {
    for (const std::string& text :
         {std::string("rubbish"), storage::wrap_state("rubbish"), storage::wrap_state("rubbish: 1\n")}) {
        tree_.file("var/lib/tmm/histogram", text);
        std::filesystem::remove(tree_.path() / "var/lib/tmm/histogram.bad");
        Daemon daemon = make_daemon(false, with_state());
        ASSERT_TRUE(daemon.start(now_));
        EXPECT_EQ(tree_.text("var/lib/tmm/histogram.bad"), text);
        EXPECT_EQ(run_for(daemon, 1)->kind, core::DecisionKind::learning);
    }
}

TEST_F(DaemonTest, ADryRunLeavesADamagedState) {
    tree_.file("var/lib/tmm/histogram", "rubbish").file("var/lib/tmm/history", "rubbish");
    Outputs outputs = with_state();
    outputs.history.emplace(storage::StateFile(root_, "var/lib/tmm/history"));
    Daemon daemon = make_daemon(true, std::move(outputs));
    ASSERT_TRUE(daemon.start(now_));
    EXPECT_EQ(run_for(daemon, 1)->kind, core::DecisionKind::learning);
    for (const std::string file : {"var/lib/tmm/histogram", "var/lib/tmm/history"}) {
        EXPECT_EQ(tree_.text(file), "rubbish");
        EXPECT_FALSE(std::filesystem::exists(tree_.path() / (file + ".bad")));
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
