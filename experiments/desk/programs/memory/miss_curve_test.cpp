// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "miss_curve.hpp"

#include <gtest/gtest.h>

namespace tmm::desk {
namespace {

using Steps = std::vector<std::pair<PageIndex, std::uint64_t>>;

Steps steps_of(const std::vector<PageIndex>& touches, PageIndex nr_pages) {
    MissCurve curve(nr_pages);
    for (const PageIndex page : touches)
        curve.touch(page);
    Steps result;
    for (const auto& step : curve.steps())
        result.emplace_back(step.size_pages, step.misses);
    return result;
}

TEST(MissCurve, APageThatIsTouchedTwiceInARowNeedsRoomForItself) {
    EXPECT_EQ(steps_of({0, 0, 0}, 1), (Steps{{0, 2}, {1, 0}}));
}

TEST(MissCurve, ASmallCaseByHand) {
    // Distances: none, 0, none, 1, none, 2.
    EXPECT_EQ(steps_of({0, 0, 1, 0, 2, 1}, 3), (Steps{{0, 3}, {1, 2}, {2, 1}, {3, 0}}));
}

TEST(MissCurve, ALoopIsACliff) {
    EXPECT_EQ(steps_of({0, 1, 2, 0, 1, 2, 0, 1, 2}, 3), (Steps{{0, 6}, {3, 0}}));
}

TEST(MissCurve, PhasesHaveAStepForThePartAndOneForTheWhole) {
    // Parts of two pages, two rounds each: 0101 2323 0101.
    const std::vector<PageIndex> touches{0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1};
    EXPECT_EQ(steps_of(touches, 4), (Steps{{0, 8}, {2, 2}, {4, 0}}));
}

TEST(MissCurve, WithoutASecondTouchNothingMisses) {
    EXPECT_EQ(steps_of({0, 1, 2}, 3), (Steps{{0, 0}}));
}

}  // namespace
}  // namespace tmm::desk
