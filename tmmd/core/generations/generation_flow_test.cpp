// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/generations/generation_flow.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

using Counts = std::vector<int>;

// The generations of memcg 5, anonymous pages only. youngest: the number of the last one.
Generations list(std::uint64_t youngest, const Counts& pages, const std::string& cgroup = "/a", std::uint64_t memcg = 5) {
    Generations generations{memcg, 0, cgroup, youngest + 1 - pages.size(), {}};
    for (const int count : pages)
        generations.pages.push_back({Pages(count), Pages(0)});
    return generations;
}

class GenerationTrackerTest : public testing::Test {
protected:
    PageFlow end_epoch(const std::vector<Generations>& before, const std::vector<Generations>& after) {
        PageFlow sum;
        for (const auto& [cgroup, flow] : tracker_.end_epoch(before, after))
            sum += flow[0];
        return sum;
    }
    // Leaves 100 recent pages, and 60 + 40 old ones, in four generations of which 12 is the youngest.
    void begin() {
        end_epoch({}, {list(10, {0, 0, 100, 0})});
        end_epoch({list(10, {0, 0, 100, 0})}, {list(11, {0, 40, 60, 0})});
        end_epoch({list(11, {0, 40, 60, 100})}, {list(12, {40, 60, 100, 0})});
    }
    GenerationTracker tracker_;
};

TEST_F(GenerationTrackerTest, AtFirstAllPagesCome) {
    EXPECT_EQ(end_epoch({list(2, {1, 2, 7})}, {list(3, {1, 2, 7, 0})}), (PageFlow{.came = Pages(7), .came_old = Pages(3)}));
}

TEST_F(GenerationTrackerTest, UsedPagesMoveToTheGenerationThatWasTheYoungest) {
    begin();
    // 30 of the recent pages and 50 of the old ones were used, and 7 are new. The kernel merged 60 and 40.
    EXPECT_EQ(end_epoch({list(12, {40, 60, 100, 7})}, {list(13, {50, 70, 87, 0})}),
              (PageFlow{.used_recent = Pages(30), .used_old = Pages(50), .came = Pages(7)}));
    // The 87 are the recent ones now; all others are old.
    EXPECT_EQ(end_epoch({list(13, {50, 70, 87, 0})}, {list(14, {115, 83, 9, 0})}),
              (PageFlow{.used_recent = Pages(4), .used_old = Pages(5)}));
}

TEST_F(GenerationTrackerTest, PagesThatLeaveBeforeTheCallAreGone) {
    begin();
    EXPECT_EQ(end_epoch({list(12, {30, 60, 80, 5})}, {list(13, {90, 80, 5, 0})}),
              (PageFlow{.gone_recent = Pages(20), .gone_old = Pages(10), .came = Pages(5)}));
}

TEST_F(GenerationTrackerTest, PagesThatLeaveDuringTheCallWithoutArrivingAreGone) {
    begin();
    EXPECT_EQ(end_epoch({list(12, {40, 60, 100, 0})}, {list(13, {100, 80, 15, 0})}),
              (PageFlow{.used_recent = Pages(15), .gone_recent = Pages(5)}));
}

TEST_F(GenerationTrackerTest, FilesThatAreReadComeIntoOlderGenerations) {
    begin();
    EXPECT_EQ(end_epoch({list(12, {40, 85, 100, 0})}, {list(13, {125, 100, 0, 0})}), (PageFlow{.came_old = Pages(25)}));
}

TEST_F(GenerationTrackerTest, PagesThatTheKernelAgedInBetweenWereUsed) {
    begin();
    // Reclaim began generation 13: 70 recent pages and 10 old ones are in it or in 12, with 20 new ones.
    EXPECT_EQ(end_epoch({list(13, {90, 30, 80, 20})}, {list(14, {120, 80, 20, 0})}),
              (PageFlow{.used_recent = Pages(70), .used_old = Pages(10), .came = Pages(20)}));
}

TEST_F(GenerationTrackerTest, WhatReclaimMergedIsDividedInProportion) {
    begin();
    // Two generations in between: the oldest has recent and old pages. A quarter of 200 was used.
    EXPECT_EQ(end_epoch({list(14, {150, 50, 0, 0})}, {list(15, {200, 0, 0, 0})}),
              (PageFlow{.used_recent = Pages(25), .used_old = Pages(25)}));
    // What was used by then is old as well, for it is merged.
    EXPECT_EQ(end_epoch({list(15, {200, 0, 0, 0})}, {list(16, {0, 0, 200, 0})}), (PageFlow{.used_old = Pages(200)}));
}

TEST_F(GenerationTrackerTest, AListThatWasNotAgedTellsOfNoUse) {
    begin();
    EXPECT_EQ(end_epoch({list(12, {40, 60, 100, 9})}, {list(12, {40, 60, 100, 9})}), PageFlow{});
    // Its 9 young pages come with the next call.
    EXPECT_EQ(end_epoch({list(12, {40, 60, 100, 9})}, {list(13, {100, 100, 9, 0})}), (PageFlow{.came = Pages(9)}));
}

TEST_F(GenerationTrackerTest, AVanishedCgroupTakesItsPagesAlong) {
    begin();
    EXPECT_TRUE(tracker_.end_epoch({}, {}).empty());
    EXPECT_EQ(end_epoch({list(13, {0, 0, 9, 0})}, {list(14, {0, 0, 9, 0})}), (PageFlow{.came = Pages(9)}));
}

TEST_F(GenerationTrackerTest, ANumberMayBelongToAnotherCgroupByNow) {
    begin();
    EXPECT_EQ(end_epoch({list(12, {0, 0, 8, 0}, "/b")}, {list(13, {0, 0, 8, 0}, "/b")}),
              (PageFlow{.gone_recent = Pages(100), .gone_old = Pages(100), .came = Pages(8)}));
}

TEST_F(GenerationTrackerTest, OneListOfACgroupMayVanish) {
    begin();
    Generations other_node = list(3, {0, 0, 6, 0});
    other_node.node = 1;
    end_epoch({list(12, {40, 60, 100, 0}), other_node}, {list(13, {100, 100, 0, 0}), other_node});
    EXPECT_EQ(end_epoch({other_node}, {other_node}), (PageFlow{.gone_old = Pages(200)}));
}

TEST_F(GenerationTrackerTest, EachCgroupHasItsOwnFlow) {
    Generations one = list(2, {0, 5, 0});
    Generations other = list(3, {0, 6, 0}, "/c", 7);
    one.id = 11;
    other.id = 12;
    FlowByCgroup flows = tracker_.end_epoch({}, std::vector<Generations>{one, other});
    ASSERT_EQ(flows.size(), 2U);
    EXPECT_EQ(flows[11][0], (PageFlow{.came = Pages(5)}));
    EXPECT_EQ(flows[12][0], (PageFlow{.came = Pages(6)}));
    // The directory of a cgroup that ends vanishes before its pages.
    one.id = unknown_cgroup;
    flows = tracker_.end_epoch(std::vector<Generations>{one, other}, std::vector<Generations>{one});
    ASSERT_EQ(flows.size(), 1U);
    EXPECT_EQ(flows[11][0], PageFlow{});
}

TEST(WithoutOldUses, OldPagesGoAndComeAnew) {
    EXPECT_EQ(without_old_uses({.used_recent = Pages(1),
                                .used_old = Pages(20),
                                .gone_recent = Pages(3),
                                .gone_old = Pages(4),
                                .came = Pages(5),
                                .came_old = Pages(6)}),
              (PageFlow{.used_recent = Pages(1),
                        .used_old = Pages(0),
                        .gone_recent = Pages(3),
                        .gone_old = Pages(24),
                        .came = Pages(25),
                        .came_old = Pages(6)}));
}

TEST_F(GenerationTrackerTest, SumsUpAllListsByBacking) {
    Generations files = list(2, {0, 0, 0}, "/b", 6);
    files.pages[1][1] = Pages(11);
    const GenerationFlow flow =
        tracker_.end_epoch({}, std::vector<Generations>{list(2, {0, 5, 0}), list(3, {0, 6, 0}, "/c", 7), files})[unknown_cgroup];
    EXPECT_EQ(flow[0], (PageFlow{.came = Pages(11)}));
    EXPECT_EQ(flow[1], (PageFlow{.came = Pages(11)}));
}

}  // namespace
}  // namespace tmm::core
