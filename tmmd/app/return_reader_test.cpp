// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/return_reader.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/temp_tree.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/os/read_back/fake_swap_reader.hpp"

namespace tmm::app {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

const std::string app = "sys/fs/cgroup/user.slice/app.slice";
const std::string transparent = "sys/fs/cgroup/user.slice/transparent.slice";

class ReturnReaderTest : public testing::Test {
protected:
    ReturnReaderTest() {
        tree_.dir(transparent);
        set_swapped(app, 0);
        set_swapped(transparent, 0);
        latency_.of(core::Store::swap_disk).restore(10000, core::Seconds(0.01));
    }
    void set_swapped(const std::string& cgroup, std::uint64_t pages) {
        tree_.file(cgroup + "/memory.swap.current", std::to_string(pages * os::page_bytes().count()) + "\n");
    }
    core::Pages tick() { return reader_.tick(inputs_, cgroups_, latency_, now_ += seconds(1)); }
    // The kernel evicts so many pages while the owner is away.
    void come_back(std::uint64_t pages = 1000) {
        inputs_.idle_for = minutes(5);
        tick();
        set_swapped(app, pages);
        set_swapped(transparent, 100 * pages);
        inputs_.idle_for = seconds(0);
        tick();
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    Log log_{"test", LogLevel::error, false};
    os::FakeSwapReader::Shared helper_;
    ReturnReader reader_{root_, log_, std::unique_ptr<os::SwapReader>(std::make_unique<os::FakeSwapReader>(helper_))};
    ReturnReader::Inputs inputs_{};
    std::vector<std::string> cgroups_{transparent};
    core::MissLatency latency_;
    core::AwakeTime now_{hours(1)};
};

TEST_F(ReturnReaderTest, ReadsBackWhatOpaqueCgroupsLost) {
    come_back();
    EXPECT_EQ(helper_.asked, std::vector<std::string>{"read 1000 of " + app}) << "never that of contributions";
}

TEST_F(ReturnReaderTest, AnUnmeasuredStoreIsLeftAlone) {
    latency_ = core::MissLatency();
    come_back();
    EXPECT_TRUE(helper_.asked.empty()) << "it may be zram";
}

TEST_F(ReturnReaderTest, TheOrderEndsWithItsReport) {
    come_back();
    helper_.report = os::SwapReader::Report{core::Pages(900), ""};
    tick();
    EXPECT_FALSE(reader_.asks_for_usage());
    inputs_.idle_for = minutes(5);
    tick();
    EXPECT_EQ(helper_.asked.size(), 1U) << "nothing to stop";
}

TEST_F(ReturnReaderTest, TheOrderEndsWhenTheOwnerLeaves) {
    come_back();
    inputs_.idle_for = minutes(5);
    tick();
    ASSERT_EQ(helper_.asked.size(), 2U);
    EXPECT_EQ(helper_.asked.back(), "stop");
}

TEST_F(ReturnReaderTest, AContributionThatBeginsInTheCgroupEndsIt) {
    come_back();
    cgroups_ = {app + "/transparent.slice", transparent};
    tick();
    ASSERT_EQ(helper_.asked.size(), 2U);
    EXPECT_EQ(helper_.asked.back(), "stop");
    tick();
    EXPECT_EQ(helper_.asked.size(), 2U) << "once";
}

TEST_F(ReturnReaderTest, HeldContributionsMakeRoom) {
    come_back();
    ASSERT_TRUE(reader_.asks_for_usage());
    inputs_.held = true;
    inputs_.usage = core::MemoryUsage{core::Pages(10'000), core::Pages(5000), core::Pages(4800)};
    EXPECT_EQ(tick(), core::Pages(800));
}

TEST_F(ReturnReaderTest, WithoutAHelperNothingHappens) {
    helper_.gone = true;
    come_back();
    EXPECT_TRUE(helper_.asked.empty());
    tick();
    EXPECT_FALSE(reader_.asks_for_usage());
    ReturnReader none(root_, log_, Error(EPERM, "not permitted"));
    inputs_.idle_for = minutes(5);
    EXPECT_EQ(none.tick(inputs_, cgroups_, latency_, now_), core::Pages(0));
}

}  // namespace
}  // namespace tmm::app
