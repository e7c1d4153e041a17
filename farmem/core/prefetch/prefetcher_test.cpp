// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/core/prefetch/prefetcher.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tmm::far {

namespace {

using Pages = std::vector<PageNumber>;

class PrefetcherTest : public testing::Test {
protected:
    Pages fault(PageNumber page, std::uint32_t thread = 0, std::optional<Origin> hit = {}) {
        now_ += std::chrono::microseconds(10);
        prefetcher_.fault({thread, page, now_, hit}, wishes_);
        Pages pages;
        for (const Wish& wish : wishes_)
            pages.push_back(wish.page);
        return pages;
    }
    // Far from each other, without a common distance.
    static PageNumber scattered(PageNumber i) { return i * i * 1000; }

    Prefetcher prefetcher_;
    Wishes wishes_;
    TimePoint now_{std::chrono::seconds(1)};
};

TEST_F(PrefetcherTest, ThreadsHaveStreamsOfTheirOwn) {
    for (PageNumber i = 0; i < 3; ++i) {
        EXPECT_EQ(fault(100 + i, 0).empty(), i < 2);
        EXPECT_EQ(fault(102 - i, 1).empty(), i < 2);
    }
}

TEST_F(PrefetcherTest, AVoteFindsLongStridesAmongNoise) {
    // Rows of 100 pages; each tenth fault is elsewhere.
    for (PageNumber i = 1; i <= 20; ++i)
        fault(i % 10 == 0 ? 1'000'000 + scattered(i) : i * 100);
    EXPECT_EQ(fault(5).front(), 105U);
}

TEST_F(PrefetcherTest, AVoteThatIsWrongIsAskedSeldom) {
    // Lone faults among those of a stream.
    std::size_t nr_wrong = 0;
    for (PageNumber i = 0; i < 400; ++i) {
        fault(i);
        if (i % 4 == 0) {
            fault(1'000'000 + scattered(i));
            for (const Wish& wish : wishes_) {
                ++nr_wrong;
                prefetcher_.unused(wish.origin);
            }
        }
    }
    EXPECT_GT(nr_wrong, 2U);
    EXPECT_LT(nr_wrong, 20U);
}

TEST_F(PrefetcherTest, EdgesHelpAfterThreeUselessFaults) {
    prefetcher_.edges().add(scattered(3), 1);
    prefetcher_.edges().add(scattered(3), 2);
    prefetcher_.edges().add(1, 11);
    prefetcher_.edges().add(11, 111);
    prefetcher_.edges().add(111, 1111);
    prefetcher_.edges().add(2, scattered(3));
    EXPECT_TRUE(fault(scattered(3)).empty());
    EXPECT_TRUE(fault(scattered(4)).empty());
    EXPECT_EQ(fault(scattered(3)), (Pages{1, 2, 11, 111}));
}

TEST_F(PrefetcherTest, TheLowerTierEndsTheUpperOne) {
    prefetcher_.edges().add(scattered(9), 1);
    for (PageNumber i = 3; i < 6; ++i)
        fault(scattered(i));
    for (PageNumber i = 0; i < 3; ++i)
        fault(50 + i);
    EXPECT_TRUE(fault(scattered(9)).empty());
}

TEST_F(PrefetcherTest, SuccessorsAreForetoldOnceTheyWereSeenTwice) {
    for (int round = 0; round < 2; ++round) {
        for (PageNumber i = 3; i < 12; ++i)
            EXPECT_TRUE(fault(scattered(i)).empty());
    }
    EXPECT_TRUE(fault(scattered(3)).empty());  // it followed the twelfth page once only
    fault(scattered(4));
    fault(scattered(5));
    const Pages pages = fault(scattered(6));
    ASSERT_FALSE(pages.empty());
    EXPECT_EQ(pages.front(), scattered(7));
}

TEST_F(PrefetcherTest, UselessEdgesAreTriedNowAndThen) {
    for (PageNumber i = 3; i < 200; ++i)
        prefetcher_.edges().add(scattered(i), i);
    std::size_t nr_asked = 0;
    for (PageNumber i = 3; i < 200; ++i) {
        nr_asked += fault(scattered(i)).size();
        for (const Wish& wish : wishes_)
            prefetcher_.unused(wish.origin);
    }
    EXPECT_LT(nr_asked, 20U);
    EXPECT_GT(nr_asked, 2U);
}

TEST_F(PrefetcherTest, PartsCanBeSwitchedOff) {
    prefetcher_ = Prefetcher({.streams = false, .vote = false, .successors = false, .edges = false});
    prefetcher_.edges().add(2, 3);
    for (int round = 0; round < 3; ++round) {
        for (PageNumber i = 0; i < 100; ++i)
            EXPECT_TRUE(fault(i).empty());
    }
}

TEST(Edges, KeepsTheLatestFour) {
    Edges edges;
    for (PageNumber to : {1, 2, 3, 2, 4, 5})
        edges.add(0, to);
    Pages pages;
    edges.for_each(0, [&](PageNumber to) { pages.push_back(to); });
    EXPECT_EQ(pages, (Pages{2, 3, 4, 5}));
    edges.forget(0);
    EXPECT_TRUE(edges.empty());
}

TEST(MajorityVote, WantsMoreThanHalf) {
    MajorityVote vote;
    EXPECT_FALSE(vote.stride());
    PageNumber page = 0;
    for (int i = 0; i < 40; ++i)
        vote.fault(page += i % 2 == 0 ? 3 : 100 + static_cast<PageNumber>(i));
    EXPECT_FALSE(vote.stride());
    for (int i = 0; i < 8; ++i)
        vote.fault(page -= 5);
    EXPECT_EQ(vote.stride(), -5);
}

}  // namespace

}  // namespace tmm::far
