// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/epoch_observer.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"

namespace tmm::app {
namespace {

const std::vector<std::string> no_cgroups;

class EpochObserverTest : public testing::Test {
protected:
    EpochObserverTest() { set(0, 0, 0, 0); }

    void set(int cpu_us, int faults, int anonymous_refaults, int file_refaults) {
        tree_.file("proc/vmstat", "pgmajfault " + std::to_string(faults) + "\nworkingset_refault_anon " +
                                      std::to_string(anonymous_refaults) + "\nworkingset_refault_file " +
                                      std::to_string(file_refaults) + "\n");
        tree_.file("proc/diskstats", "").file("sys/fs/cgroup/cpu.stat", "usage_usec " + std::to_string(cpu_us) + "\n");
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    Log log_{"test", LogLevel::error, false};
};

TEST_F(EpochObserverTest, CompletesASampleWithWhatHappenedSince) {
    EpochObserver observer(root_, log_);
    core::EpochSample sample;
    ASSERT_TRUE(observer.complete(sample, no_cgroups));
    set(300'000, 7, 30, 10);
    EXPECT_DOUBLE_EQ(observer.read_cpu_delta(no_cgroups).value().count(), 0.3);
    set(500'000, 7, 30, 10);
    EXPECT_EQ(observer.complete(sample, no_cgroups).value(), 7U);
    EXPECT_DOUBLE_EQ(sample.active.count(), 0.5) << "it includes the time read in between";
    EXPECT_DOUBLE_EQ(sample.anonymous_refaults, 0.75);
    ASSERT_TRUE(observer.complete(sample, no_cgroups));
    EXPECT_DOUBLE_EQ(sample.active.count(), 0);
}

TEST_F(EpochObserverTest, OnlyProcessorTimeIsNeeded) {
    for (const std::string missing : {"proc/diskstats", "proc/vmstat"}) {
        set(0, 0, 0, 0);
        std::filesystem::remove(tree_.path() / missing);
        EpochObserver observer(root_, log_);
        core::EpochSample sample;
        ASSERT_TRUE(observer.complete(sample, no_cgroups)) << missing;
        set(500'000, 0, 0, 0);
        std::filesystem::remove(tree_.path() / missing);
        const auto completed = observer.complete(sample, no_cgroups);
        ASSERT_TRUE(completed) << missing;
        EXPECT_EQ(completed->has_value(), missing != "proc/vmstat") << "nobody knows the faults";
        EXPECT_DOUBLE_EQ(sample.active.count(), 0.5);
        EXPECT_EQ(sample.reads[0].reads, 0);
    }
    set(0, 0, 0, 0);
    tree_.file("proc/swaps", "rubbish\n");
    EpochObserver observer(root_, log_);
    core::EpochSample sample;
    EXPECT_TRUE(observer.complete(sample, no_cgroups));
    std::filesystem::remove(tree_.path() / "sys/fs/cgroup/cpu.stat");
    const auto failed = EpochObserver(root_, log_).complete(sample, no_cgroups);
    ASSERT_FALSE(failed) << "nobody would know when the owner works";
    EXPECT_NE(failed.error().message().find("/proc/stat"), std::string::npos) << failed.error().message();
}

}  // namespace
}  // namespace tmm::app
