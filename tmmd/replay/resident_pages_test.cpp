// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/resident_pages.hpp"

#include <gtest/gtest.h>

namespace tmm::replay {
namespace {

using core::PageKey;
using core::Pages;

TEST(ResidentPages, EvictsTheOldestBeyondTheLimit) {
    ResidentPages pages(Pages(2));
    for (const PageKey key : {1U, 2U, 1U, 3U})
        EXPECT_FALSE(pages.use(key, Pages(1)));
    EXPECT_EQ(pages.take_gone(), std::vector<PageKey>{2});
    EXPECT_EQ(pages.take_evicted(), Pages(1));
    EXPECT_TRUE(pages.take_gone().empty());
    EXPECT_EQ(pages.take_evicted(), Pages(0));
    EXPECT_EQ(pages.resident(), Pages(2));
    EXPECT_TRUE(pages.is_resident(1));
    EXPECT_FALSE(pages.is_resident(2));
}

TEST(ResidentPages, ARefaultDistanceCountsTheEvictionsSince) {
    ResidentPages pages(Pages(20));
    pages.use(1, Pages(10));
    pages.use(2, Pages(10));
    pages.use(3, Pages(10));  // evicts 1
    EXPECT_EQ(pages.use(1, Pages(10)), Pages(0)) << "nothing was evicted after it, before it came back";
    pages.use(3, Pages(10));
    pages.use(4, Pages(10));  // evicts 1
    pages.use(5, Pages(10));  // evicts 3
    EXPECT_EQ(pages.use(1, Pages(10)), Pages(10));
}

TEST(ResidentPages, AFreedPageIsNew) {
    ResidentPages pages(Pages(1));
    pages.use(1, Pages(1));
    pages.use(2, Pages(1));
    pages.forget(1);
    pages.forget(2);
    pages.forget(3);
    EXPECT_EQ(pages.resident(), Pages(0));
    EXPECT_FALSE(pages.use(1, Pages(1)));
}

TEST(ResidentPages, ASmallerLimitEvictsAtOnce) {
    ResidentPages pages(Pages(100));
    for (PageKey key = 0; key < 10; ++key)
        pages.use(key, Pages(1));
    pages.set_limit(Pages(3));
    EXPECT_EQ(pages.resident(), Pages(3));
    EXPECT_EQ(pages.take_gone().size(), 7U);
    EXPECT_TRUE(pages.is_resident(9));
    pages.set_limit(Pages(0));
    EXPECT_EQ(pages.resident(), Pages(0));
}

}  // namespace
}  // namespace tmm::replay
