// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/frames/refault_counters.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"
#include "tmmd/os/cgroup/test_cgroups.hpp"

namespace tmm::os {
namespace {

class RefaultCountersTest : public testing::Test {
protected:
    // What the kernel shows of evicted and returned pages: of the machine, and of a contribution.
    void shows(const std::string& file, int evicted, int returned) {
        tree_.file(file, "pgsteal_kswapd 0\npgsteal_direct " + std::to_string(evicted) + "\nworkingset_refault_anon " +
                             std::to_string(returned) + "\nworkingset_refault_file 0\n");
    }
    RefaultCounts poll(int evicted, int returned, int evicted_of_contribution, int returned_of_contribution) {
        shows("proc/vmstat", evicted, returned);
        shows(slice + "/memory.stat", evicted_of_contribution, returned_of_contribution);
        return counters_.poll({slice}).value();
    }

private:
    TempTree tree_;
    RootDir root_ = tree_.root();
    RefaultCounters counters_{root_};
};

TEST_F(RefaultCountersTest, OpaquePagesCountOneCallLater) {
    poll(1000, 500, 100, 50);
    EXPECT_EQ(poll(1300, 560, 200, 60).evictions, 0U);
    const RefaultCounts counts = poll(1300, 560, 200, 60);
    EXPECT_EQ(counts.evictions, 200U);
    EXPECT_EQ(counts.counts[0], 50U);
    EXPECT_EQ(counts.unit, core::Pages(200));
    EXPECT_EQ(poll(1300, 560, 200, 60).counts[0], 0U);
}

TEST_F(RefaultCountersTest, WhatTheKernelShowsLateOfAContributionIsNotOpaque) {
    poll(0, 0, 0, 0);
    poll(7000, 6000, 7000, 6000);
    RefaultCounts counts = poll(14000, 12000, 7000, 6000);
    EXPECT_EQ(counts.counts[0], 0U);
    counts = poll(21000, 18000, 21000, 18000);
    EXPECT_EQ(counts.counts[0], 0U);
    EXPECT_EQ(counts.evictions, 0U);
    counts = poll(28000, 24000, 28000, 24000);
    EXPECT_EQ(counts.counts[0], 0U);
    EXPECT_EQ(counts.evictions, 0U);
}

TEST_F(RefaultCountersTest, AnExcessOfLongAgoHidesNothing) {
    poll(0, 0, 0, 0);
    poll(100, 100, 5000, 5000);
    poll(200, 200, 5000, 5000);
    EXPECT_EQ(poll(200, 200, 5000, 5000).counts[0], 100U) << "the kernel counts for a cgroup what it does not for the machine";
}

}  // namespace
}  // namespace tmm::os
