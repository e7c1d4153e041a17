// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/daemon.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "base/temp_tree.hpp"

namespace tmm::app {
namespace {

using std::chrono::seconds;

// What the fakes share with the test: they die and are made anew with every reopening.
struct World {
    std::vector<os::Limits> written;
    int sources_open = 0;
    int opened = 0;
    bool scanner_broken = false;
    bool sink_broken = false;
    core::PageKey next = 0;
};

class FakeSource : public os::SampleSource {
public:
    explicit FakeSource(World& world) : world_(world) {
        ++world_.sources_open;
        ++world_.opened;
    }
    FakeSource(const FakeSource&) = delete;
    FakeSource& operator=(const FakeSource&) = delete;
    ~FakeSource() override { --world_.sources_open; }

    // An owner who loops over 3000 pages.
    Result<core::EpochSample> sample() override {
        if (world_.scanner_broken)
            return Error(EIO, "scanner broke");
        core::EpochSample sample;
        for (int i = 0; i < 600; ++i, world_.next = (world_.next + 1) % 3000)
            sample.referenced.push_back({world_.next, 1});
        return sample;
    }
    [[nodiscard]] std::string description() const override { return "a test"; }

private:
    World& world_;
};

class FakeSink : public os::LimitSink {
public:
    explicit FakeSink(World& world) : world_(world) {}
    Result<void> write(const os::Limits& limits) override {
        if (world_.sink_broken)
            return Error(EIO, "sysfs broke");
        world_.written.push_back(limits);
        return {};
    }
    Result<core::MemoryUsage> usage() override { return core::MemoryUsage{10000, 4000, 5000}; }

private:
    World& world_;
};

class DaemonTest : public testing::Test {
protected:
    DaemonTest() {
        tree_.file("proc/vmstat", "pgmajfault 5\n").file("sys/fs/cgroup/cgroup.controllers", "memory\n");
        tree_.file("sys/fs/cgroup/transparent.slice/memory.transparent", "0\n");
    }

    Daemon make_daemon(bool dry_run = false, std::optional<Timeline> timeline = std::nullopt) {
        AdapterFactory factory;
        factory.open_source = [this](const Config&) -> Result<std::unique_ptr<os::SampleSource>> {
            return std::unique_ptr<os::SampleSource>(std::make_unique<FakeSource>(world_));
        };
        factory.open_sink = [this]() -> Result<std::unique_ptr<os::LimitSink>> {
            return std::unique_ptr<os::LimitSink>(std::make_unique<FakeSink>(world_));
        };
        return {Config{}, root_, log_, factory, 10240, dry_run, std::move(timeline)};
    }

    std::optional<core::Decision> run_for(Daemon& daemon, int epochs) {
        std::optional<core::Decision> decision;
        for (int epoch = 0; epoch < epochs; ++epoch)
            decision = daemon.run_epoch(now_ += seconds(1));
        return decision;
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    Log log_{"test", LogLevel::error, false};
    World world_;
    core::TimePoint now_{seconds(100)};
};

TEST_F(DaemonTest, ProtectsFirstThenGives) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start());
    run_for(daemon, 1);
    ASSERT_EQ(world_.written.size(), 1U);
    EXPECT_EQ(world_.written[0], (os::Limits{10000, 0}));
    run_for(daemon, 40);
    EXPECT_LT(world_.written.back().opaque, 5000U);
    EXPECT_GT(world_.written.back().transparent, 5000U);
}

TEST_F(DaemonTest, WritesLimitsOnlyWhenTheyChange) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start());
    run_for(daemon, 14);
    EXPECT_EQ(world_.written.size(), 1U);
}

TEST_F(DaemonTest, MarksTransparentCgroups) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start());
    run_for(daemon, 1);
    EXPECT_EQ(tree_.text("sys/fs/cgroup/transparent.slice/memory.transparent").substr(0, 1), "1");
}

TEST_F(DaemonTest, ADryRunChangesNothing) {
    Daemon daemon = make_daemon(true);
    ASSERT_TRUE(daemon.start());
    const auto decision = run_for(daemon, 40);
    ASSERT_TRUE(decision);
    EXPECT_EQ(decision->kind, core::DecisionKind::measured);
    EXPECT_TRUE(world_.written.empty());
    EXPECT_EQ(tree_.text("sys/fs/cgroup/transparent.slice/memory.transparent"), "0\n");
}

TEST_F(DaemonTest, ABrokenScannerLeavesMemoryToTheKernelAndComesBack) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start());
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
    ASSERT_TRUE(daemon.start());
    world_.sink_broken = true;
    EXPECT_FALSE(run_for(daemon, 1));
    world_.sink_broken = false;
    EXPECT_TRUE(run_for(daemon, 1));
    EXPECT_EQ(world_.written.size(), 1U);
}

TEST_F(DaemonTest, ANewSampleShiftOpensTheSourceAnew) {
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start());
    Config config;
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
    Daemon daemon = make_daemon(false, Timeline::create(path).value());
    ASSERT_TRUE(daemon.start());
    EXPECT_TRUE(run_for(daemon, 3));
    const std::string text = tree_.text("timeline.csv");
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

}  // namespace
}  // namespace tmm::app
