// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/generations/footprint_flow.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

// Anonymous memory of one cgroup.
class FootprintTrackerTest : public testing::Test {
protected:
    PageFlow end_epoch(int resident, int referenced) {
        return tracker_.end_epoch({{7, {{Pages(resident), Pages(0)}, {Pages(referenced), Pages(0)}}}}).at(7)[0];
    }
    // Leaves 100 recent pages and 100 old ones, after a window that used 100 in its first epoch and 20 more in its second.
    void begin() {
        end_epoch(200, 200);
        tracker_.cleared();
        end_epoch(200, 100);
        end_epoch(200, 120);
        tracker_.cleared();
    }
    FootprintTracker tracker_;
};

TEST_F(FootprintTrackerTest, AtFirstAllPagesCome) {
    EXPECT_TRUE(tracker_.window_ended(Pages(0)));
    EXPECT_EQ(end_epoch(10, 7), (PageFlow{.came = Pages(7), .came_old = Pages(3)}));
    EXPECT_TRUE(tracker_.window_ended(Pages(0))) << "the references are older than the first epoch";
    tracker_.cleared();
    EXPECT_FALSE(tracker_.window_ended(Pages(0)));
    end_epoch(10, 7);
    EXPECT_FALSE(tracker_.window_ended(Pages(0)));
    end_epoch(10, 7);
    EXPECT_TRUE(tracker_.window_ended(Pages(0)));
}

TEST_F(FootprintTrackerTest, TheGrowthOfTheSecondEpochAreOldPages) {
    end_epoch(200, 200);
    tracker_.cleared();
    EXPECT_EQ(end_epoch(200, 100), (PageFlow{.used_recent = Pages(100)})) << "all were recent";
    EXPECT_EQ(end_epoch(200, 120), (PageFlow{.used_recent = Pages(80), .used_old = Pages(20)}));
}

TEST_F(FootprintTrackerTest, TheFirstEpochUsesAsManyOldPages) {
    begin();
    EXPECT_EQ(end_epoch(200, 100), (PageFlow{.used_recent = Pages(80), .used_old = Pages(20)}));
}

TEST_F(FootprintTrackerTest, MoreThanTheRecentPagesAreOld) {
    begin();
    EXPECT_EQ(end_epoch(200, 170), (PageFlow{.used_recent = Pages(100), .used_old = Pages(70)}));
}

TEST_F(FootprintTrackerTest, AnIdleCgroupUsesNothing) {
    begin();
    EXPECT_EQ(end_epoch(200, 0), PageFlow{});
    EXPECT_EQ(end_epoch(200, 0), PageFlow{});
    tracker_.cleared();
    EXPECT_EQ(end_epoch(200, 0), PageFlow{});
}

TEST_F(FootprintTrackerTest, NewPagesAreUsedAndNotOld) {
    begin();
    EXPECT_EQ(end_epoch(230, 130), (PageFlow{.used_recent = Pages(80), .used_old = Pages(20), .came = Pages(30)}));
    EXPECT_EQ(end_epoch(240, 150), (PageFlow{.used_recent = Pages(90), .used_old = Pages(10), .came = Pages(10)}));
    // Read ahead and not used.
    tracker_.cleared();
    EXPECT_EQ(end_epoch(300, 0), (PageFlow{.came_old = Pages(60)}));
}

TEST_F(FootprintTrackerTest, GonePagesAreOfBothGroupsInProportion) {
    begin();
    EXPECT_EQ(end_epoch(120, 0), (PageFlow{.gone_recent = Pages(40), .gone_old = Pages(40)}));
    tracker_.end_epoch({});
    EXPECT_EQ(end_epoch(5, 5), (PageFlow{.came = Pages(5)}));
}

TEST_F(FootprintTrackerTest, NeverUsesMoreThanThereIs) {
    begin();
    for (const auto& [resident, referenced] : {std::pair(50, 500), {0, 0}, {300, 1}, {1, 1}, {1000, 1000}}) {
        const PageFlow flow = end_epoch(resident, referenced);
        EXPECT_LE(flow.used_recent + flow.used_old + flow.came + flow.came_old, Pages(resident)) << resident;
    }
}

}  // namespace
}  // namespace tmm::core
