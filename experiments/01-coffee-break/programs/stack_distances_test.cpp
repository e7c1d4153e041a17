// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "stack_distances.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>

namespace tmm::coffee {
namespace {

std::vector<int> distances(const std::vector<PageIndex>& touches, PageIndex nr_pages) {
    StackDistances stack(nr_pages);
    std::vector<int> result;
    result.reserve(touches.size());
    for (const PageIndex page : touches) {
        const auto distance = stack.touch(page);
        result.push_back(distance ? static_cast<int>(*distance) : -1);
    }
    return result;
}

// By its definition: a list with the page touched last in front.
std::vector<int> distances_by_a_list(const std::vector<PageIndex>& touches) {
    std::list<PageIndex> stack;
    std::vector<int> result;
    for (const PageIndex page : touches) {
        const auto place = std::find(stack.begin(), stack.end(), page);
        result.push_back(place == stack.end() ? -1 : static_cast<int>(std::distance(stack.begin(), place)));
        if (place != stack.end())
            stack.erase(place);
        stack.push_front(page);
    }
    return result;
}

std::vector<std::pair<PageIndex, std::uint64_t>> steps_of(const std::vector<PageIndex>& touches, PageIndex nr_pages) {
    StackDistances stack(nr_pages);
    MissCurve curve(nr_pages);
    for (const PageIndex page : touches)
        if (const auto distance = stack.touch(page))
            curve.add(*distance);
    std::vector<std::pair<PageIndex, std::uint64_t>> result;
    for (const auto& step : curve.steps())
        result.emplace_back(step.size_pages, step.misses);
    return result;
}

TEST(StackDistances, SmallCasesByHand) {
    EXPECT_EQ(distances({0, 0, 1, 0, 2, 1}, 3), (std::vector<int>{-1, 0, -1, 1, -1, 2}));
    EXPECT_EQ(distances({0, 0, 0}, 1), (std::vector<int>{-1, 0, 0}));
}

TEST(StackDistances, AreThoseOfTheDefinitionWhateverOftenTimesAreNumberedAnew) {
    std::mt19937 random(3);
    for (const PageIndex nr_pages : {1U, 2U, 7U, 64U}) {
        std::vector<PageIndex> touches;
        for (int i = 0; i < 3000; ++i)
            touches.push_back(static_cast<PageIndex>((random() % nr_pages) * (random() % 2)));
        EXPECT_EQ(distances(touches, nr_pages), distances_by_a_list(touches)) << nr_pages;
    }
}

TEST(MissCurve, ALoopIsACliff) {
    EXPECT_EQ(steps_of({0, 1, 2, 0, 1, 2, 0, 1, 2}, 3), (std::vector<std::pair<PageIndex, std::uint64_t>>{{0, 6}, {3, 0}}));
}

TEST(MissCurve, PhasesHaveAStepForThePartAndOneForTheWhole) {
    // Parts of two pages, two rounds each: 0101 2323 0101.
    const std::vector<PageIndex> touches{0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1};
    EXPECT_EQ(steps_of(touches, 4), (std::vector<std::pair<PageIndex, std::uint64_t>>{{0, 8}, {2, 2}, {4, 0}}));
}

TEST(MissCurve, WithoutASecondTouchNothingMisses) {
    EXPECT_EQ(steps_of({0, 1, 2}, 3), (std::vector<std::pair<PageIndex, std::uint64_t>>{{0, 0}}));
}

}  // namespace
}  // namespace tmm::coffee
