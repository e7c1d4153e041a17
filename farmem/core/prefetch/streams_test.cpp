// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/core/prefetch/streams.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tmm::far {

namespace {

using std::chrono::microseconds;

class StreamsTest : public testing::Test {
protected:
    // Returns the pages asked for by a fault 10 us after the last one.
    std::vector<PageNumber> fault(PageNumber page, bool is_hit = false) {
        now_ += microseconds(10);
        wishes_.clear();
        joined_ = streams_.fault(page, is_hit, now_, wishes_) != 0;
        std::vector<PageNumber> pages;
        for (const Wish& wish : wishes_)
            pages.push_back(wish.page);
        return pages;
    }

    Streams streams_{7};
    Wishes wishes_;
    bool joined_ = false;
    TimePoint now_{std::chrono::seconds(1)};
};

TEST_F(StreamsTest, AsksAheadOnceAStrideWasSeenTwice) {
    EXPECT_TRUE(fault(100).empty());
    EXPECT_TRUE(fault(107).empty());
    EXPECT_EQ(fault(114), (std::vector<PageNumber>{121, 128, 135, 142}));
    EXPECT_EQ(wishes_.begin()->origin.thread, 7U);
}

TEST_F(StreamsTest, FollowsDownwards) {
    fault(100);
    fault(99);
    EXPECT_EQ(fault(98).front(), 97U);
}

TEST_F(StreamsTest, AsksAgainWhenHalfOfTheWindowIsUsed) {
    for (PageNumber page = 0; page < 3; ++page)
        fault(100 + page);
    EXPECT_TRUE(fault(103).empty());
    EXPECT_EQ(fault(104), (std::vector<PageNumber>{107, 108}));
}

TEST_F(StreamsTest, AsksAgainForPagesThatWereRefused) {
    for (PageNumber page = 0; page < 3; ++page)
        fault(page);
    streams_.refused(*(wishes_.begin() + 2));
    EXPECT_EQ(fault(3), (std::vector<PageNumber>{5, 6, 7}));
}

TEST_F(StreamsTest, GivesEachWishTheTimeOfItsUse) {
    for (PageNumber page = 0; page < 100; ++page)
        fault(page);
    wishes_.clear();
    for (PageNumber page = 100; wishes_.empty(); ++page)
        fault(page);
    const Wish& first = *wishes_.begin();
    const Wish& second = *(wishes_.begin() + 1);
    EXPECT_NEAR(static_cast<double>((second.deadline - first.deadline).count()), 10'000, 100);
    EXPECT_GT(first.deadline, now_);
}

TEST_F(StreamsTest, SkippedPagesDoNotChangeTheStride) {
    fault(100);
    fault(102);
    fault(103);
    EXPECT_TRUE(joined_);
    fault(111);
    EXPECT_TRUE(joined_);
    fault(113, true);
    fault(115, true);
    EXPECT_EQ(fault(117, true), (std::vector<PageNumber>{120, 121}));
}

TEST_F(StreamsTest, AStrideThatWasSeenTwiceTakesTheStream) {
    for (PageNumber page = 0; page < 3; ++page)
        fault(page);
    fault(9);
    EXPECT_EQ(fault(16), (std::vector<PageNumber>{23, 30, 37, 44}));
}

TEST_F(StreamsTest, AClosedStreamOpensForAnotherStride) {
    for (PageNumber page = 0; page < 3; ++page)
        fault(page);
    const Origin origin = wishes_.begin()->origin;
    for (int i = 0; i < 100; ++i)
        streams_.unused(origin);
    fault(9);
    EXPECT_EQ(fault(16), (std::vector<PageNumber>{23, 30, 37, 44}));
}

TEST_F(StreamsTest, AClosedWindowOpensWithTheFirstPageThatWasUsed) {
    for (PageNumber page = 0; page < 3; ++page)
        fault(page);
    const Origin origin = wishes_.begin()->origin;
    for (int i = 0; i < 100; ++i)
        streams_.unused(origin);
    PageNumber page = 6;
    while (fault(++page).empty())
        ASSERT_LT(page, 100U);
    streams_.used(origin);
    EXPECT_EQ(fault(page + 1), std::vector<PageNumber>{page + 2});
}

TEST_F(StreamsTest, KeepsEightStreamsApart) {
    for (PageNumber step = 0; step < 3; ++step) {
        for (PageNumber stream = 0; stream < Streams::nr_streams; ++stream) {
            const auto pages = fault(stream * 10'000 + step);
            EXPECT_EQ(pages.empty(), step < 2);
        }
    }
}

TEST_F(StreamsTest, RandomFaultsAskForNothing) {
    PageNumber page = 1;
    for (int i = 0; i < 1000; ++i) {
        page = page * 6364136223846793005 + 1442695040888963407;
        EXPECT_TRUE(fault(page >> 20).empty());
    }
}

TEST_F(StreamsTest, TheWindowFollowsAccuracy) {
    for (PageNumber page = 0; page < 3; ++page)
        fault(page);
    const Origin origin = wishes_.begin()->origin;
    for (int i = 0; i < 16; ++i)
        streams_.used(origin);
    EXPECT_EQ(fault(3).back(), 3U + 8);
    for (int i = 0; i < 20; ++i)
        streams_.late(origin);
    EXPECT_EQ(fault(4).back(), 4U + 28);
    for (int i = 0; i < 7; ++i)
        streams_.unused(origin);
    for (PageNumber page = 5; page < 31; ++page)
        EXPECT_TRUE(fault(page).empty()) << page;
}

TEST_F(StreamsTest, AReportForAnEarlierStreamChangesNothing) {
    for (PageNumber page = 0; page < 3; ++page)
        fault(page);
    const Origin origin = wishes_.begin()->origin;
    for (PageNumber stream = 1; stream <= Streams::nr_streams; ++stream)
        fault(stream * 10'000);
    for (int i = 0; i < 100; ++i)
        streams_.unused(origin);
    // The place of the old stream belongs to a new one, whose window is whole.
    fault(80'001);
    EXPECT_EQ(fault(80'002).size(), static_cast<std::size_t>(Streams::start_pages));
}

}  // namespace

}  // namespace tmm::far
