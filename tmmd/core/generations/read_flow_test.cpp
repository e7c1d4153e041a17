// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/generations/read_flow.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tmm::core {
namespace {

constexpr CgroupId editor = 7;
constexpr auto read_index = static_cast<std::size_t>(PageList::read);

TEST(ExpectedUsed, GrowsWithTheUsesUpToAllPages) {
    EXPECT_EQ(expected_used(Pages(0), 5), Pages(0));
    EXPECT_EQ(expected_used(Pages(1000), 0), Pages(0));
    EXPECT_EQ(expected_used(Pages(1000), 10), Pages(10)) << "hardly any twice";
    EXPECT_EQ(expected_used(Pages(1000), 1000), Pages(632)) << "1 - 1/e";
    EXPECT_EQ(expected_used(Pages(1000), UINT64_MAX), Pages(1000));
}

class ReadTrackerTest : public testing::Test {
protected:
    PageFlow end_epoch(std::uint64_t cached, std::uint64_t used) {
        FlowByCgroup flows{{editor, {}}};
        tracker_.end_epoch({{editor, {Pages(cached), Pages(used)}}}, flows);
        EXPECT_EQ(flows[editor][0], PageFlow{});
        EXPECT_EQ(flows[editor][1], PageFlow{});
        return flows[editor][read_index];
    }

    ReadTracker tracker_;
};

TEST_F(ReadTrackerTest, AtFirstAllPagesCame) {
    EXPECT_EQ(end_epoch(100, 0), (PageFlow{.came = Pages(100)}));
}

TEST_F(ReadTrackerTest, DividesUsesAmongRecentAndOldPages) {
    end_epoch(100, 0);
    EXPECT_EQ(end_epoch(100, 100), (PageFlow{.used_recent = Pages(100)}));
    EXPECT_EQ(end_epoch(100, 40), (PageFlow{.used_recent = Pages(40)}));
    EXPECT_EQ(end_epoch(100, 50), (PageFlow{.used_recent = Pages(20), .used_old = Pages(30)})) << "40 of 100 were recent";
    EXPECT_EQ(end_epoch(100, 0), PageFlow{});
    EXPECT_EQ(end_epoch(100, 10), (PageFlow{.used_old = Pages(10)}));
}

TEST_F(ReadTrackerTest, NewPagesAreRecentAndGoneOnesOfBothGroups) {
    end_epoch(100, 0);
    end_epoch(100, 50);
    EXPECT_EQ(end_epoch(60, 0), (PageFlow{.gone_recent = Pages(20), .gone_old = Pages(20)}));
    EXPECT_EQ(end_epoch(80, 0), (PageFlow{.came = Pages(20)}));
    EXPECT_EQ(end_epoch(80, 80), (PageFlow{.used_recent = Pages(20), .used_old = Pages(60)}));
}

// More uses than pages, and more of both than there were.
TEST_F(ReadTrackerTest, NeverExceedsWhatThereIs) {
    end_epoch(10, 0);
    EXPECT_EQ(end_epoch(10, 99), (PageFlow{.used_recent = Pages(10)}));
    EXPECT_EQ(end_epoch(0, 99), (PageFlow{.gone_recent = Pages(10)}));
    EXPECT_EQ(end_epoch(0, 5), PageFlow{});
}

TEST_F(ReadTrackerTest, FilesThatWereClosedAreGone) {
    end_epoch(100, 0);
    FlowByCgroup flows{{editor, {}}};
    tracker_.end_epoch({}, flows);
    EXPECT_EQ(flows[editor][read_index], (PageFlow{.gone_recent = Pages(100)}));
    FlowByCgroup others{{8, {}}};
    tracker_.end_epoch({}, others);
    EXPECT_EQ(others.size(), 1U);
    EXPECT_EQ(end_epoch(5, 0), (PageFlow{.came = Pages(5)})) << "nothing is left of the first";
}

TEST_F(ReadTrackerTest, FillsTheListThatItIsFor) {
    ReadTracker others(PageList::file);
    const ReadFilesByCgroup files{{editor, {Pages(5), Pages(4), Pages(70)}}};
    EXPECT_EQ(others_of(files), (ReadFilesByCgroup{{editor, {Pages(70)}}}));
    FlowByCgroup flows;
    tracker_.end_epoch(files, flows);
    others.end_epoch(others_of(files), flows);
    EXPECT_EQ(flows, (FlowByCgroup{{editor, {PageFlow{}, PageFlow{.came = Pages(70)}, PageFlow{.came = Pages(5)}}}}));
    flows = {{editor, {}}};
    others.end_epoch({}, flows);
    EXPECT_EQ(flows, (FlowByCgroup{{editor, {PageFlow{}, PageFlow{.gone_recent = Pages(70)}, PageFlow{}}}}));
}

TEST(TakeReadFiles, TakesTheOldestPagesOfTheCgroupsLists) {
    const std::vector<PagesByBacking> pages{{Pages(1), Pages(10)}, {Pages(2), Pages(20)}, {Pages(3), Pages(30)}};
    std::vector<Generations> lists{{1, 0, "/a", 5, pages, editor}, {2, 0, "/b", 5, pages, 8}, {1, 1, "/a", 5, pages, editor}};
    ReadFilesByCgroup read{{editor, {Pages(75), Pages(70)}}, {9, {Pages(4), Pages(4)}}};
    take_read_files(lists, read);
    EXPECT_EQ(lists[0].pages, (std::vector<PagesByBacking>{{Pages(1), Pages(0)}, {Pages(2), Pages(0)}, {Pages(3), Pages(0)}}));
    EXPECT_EQ(lists[1].pages, pages);
    EXPECT_EQ(lists[2].pages, (std::vector<PagesByBacking>{{Pages(1), Pages(0)}, {Pages(2), Pages(15)}, {Pages(3), Pages(30)}}));
    EXPECT_EQ(read, (ReadFilesByCgroup{{editor, {Pages(75), Pages(70)}}, {9, {Pages(0), Pages(0)}}}));
    read = {{editor, {Pages(99), Pages(98)}}};
    take_read_files(lists, read);
    EXPECT_EQ(read.at(editor), (ReadFiles{Pages(45), Pages(45)})) << "no more than the lists have";
}

}  // namespace
}  // namespace tmm::core
