// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/epoch_stack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <random>
#include <set>

namespace tmm::core {
namespace {

constexpr std::span<const PageKey> nothing_gone;

std::vector<SampledPage> pages(PageKey first, PageKey count, std::uint32_t weight = 1) {
    std::vector<SampledPage> result;
    for (PageKey key = first; key < first + count; ++key)
        result.push_back({key, weight});
    return result;
}

TEST(EpochStack, FirstUseHasNoPosition) {
    EpochStack stack;
    GroupedHistogram histogram(Pages(1), 100);
    stack.end_epoch(pages(0, 10), nothing_gone, histogram);
    EXPECT_DOUBLE_EQ(histogram.all.accesses(), 0);
    EXPECT_EQ(stack.known_pages(), Pages(10));
}

// The four terms of the position, one at a time, on the bounds that the header states.
TEST(EpochStack, PagesUsedInBetweenLieAbove) {
    EpochStack stack;
    GroupedHistogram histogram(Pages(1), 1000);
    stack.end_epoch(pages(0, 1), nothing_gone, histogram);
    stack.end_epoch(pages(100, 50), nothing_gone, histogram);
    stack.end_epoch(pages(0, 1), nothing_gone, histogram);
    EXPECT_EQ(histogram.all.of(Backing::anonymous).buckets()[50], 1) << "M = 50, nothing else";
}

TEST(EpochStack, PagesOfTheSameOldEpochLieAboveByHalf) {
    EpochStack stack;
    GroupedHistogram histogram(Pages(1), 1000);
    stack.end_epoch(pages(0, 41), nothing_gone, histogram);
    stack.end_epoch(pages(0, 1), nothing_gone, histogram);
    EXPECT_NEAR(histogram.all.misses(Pages(20)), 0.5, 0.02) << "a = 40: uniform in [0, 40]";
    EXPECT_DOUBLE_EQ(histogram.all.misses(Pages(40)), 0);
}

TEST(EpochStack, PagesTouchedFromFurtherBelowLieAboveByHalf) {
    EpochStack stack;
    GroupedHistogram histogram(Pages(1), 1000);
    stack.end_epoch(pages(100, 30), nothing_gone, histogram);
    stack.end_epoch(pages(0, 1), nothing_gone, histogram);
    auto touched = pages(100, 30);
    touched.push_back({0, 1});
    touched.push_back({500, 1});  // new
    GroupedHistogram of_all(Pages(1), 1000);
    stack.end_epoch(touched, nothing_gone, of_all);
    EXPECT_DOUBLE_EQ(of_all.all.misses(Pages(32)), 0)
        << "nothing lies deeper than b = 31 for the one, M = 1 and c = 29 and b = 1 for the others";
    EXPECT_NEAR(of_all.all.accesses(), 31, 1e-6);
}

TEST(EpochStack, ALoopWithinOneEpochEndsAtItsLength) {
    EpochStack stack;
    GroupedHistogram histogram(Pages(1), 1000);
    for (int epoch = 0; epoch < 5; ++epoch)
        stack.end_epoch(pages(0, 101), nothing_gone, histogram);
    EXPECT_NEAR(histogram.all.accesses(), 4 * 101, 1e-6);
    EXPECT_NEAR(histogram.all.misses(Pages(75)) / histogram.all.accesses(), 0.5, 0.02)
        << "c = 100: uniform in [50, 100], mean 3c/4";
    EXPECT_GT(histogram.all.misses(Pages(98)), 0);
    EXPECT_DOUBLE_EQ(histogram.all.misses(Pages(101)), 0);
}

TEST(EpochStack, WeightsStandForPages) {
    EpochStack stack;
    GroupedHistogram histogram(Pages(1), 1000);
    stack.end_epoch(pages(0, 1, 64), nothing_gone, histogram);
    stack.end_epoch(pages(1, 2, 64), nothing_gone, histogram);
    stack.end_epoch(pages(0, 1, 64), nothing_gone, histogram);
    EXPECT_EQ(histogram.all.of(Backing::anonymous).buckets()[128], 64);
    EXPECT_EQ(stack.known_pages(), Pages(3 * 64));
}

TEST(EpochStack, PagesGoneNoLongerCount) {
    EpochStack stack;
    GroupedHistogram histogram(Pages(1), 1000);
    stack.end_epoch(pages(0, 1), nothing_gone, histogram);
    stack.end_epoch(pages(100, 50), nothing_gone, histogram);
    std::vector<PageKey> gone;
    for (PageKey key = 100; key < 130; ++key)
        gone.push_back(key);
    gone.push_back(9999);  // never known: harmless
    stack.end_epoch(pages(0, 1), gone, histogram);
    EXPECT_EQ(histogram.all.of(Backing::anonymous).buckets()[20], 1);
    EXPECT_EQ(stack.known_pages(), Pages(21));
}

TEST(EpochStack, APageListedTwiceCountsOnce) {
    EpochStack stack;
    GroupedHistogram histogram(Pages(1), 10);
    const std::vector<SampledPage> twice{{1, 1}, {1, 1}};
    stack.end_epoch(twice, nothing_gone, histogram);
    stack.end_epoch(twice, nothing_gone, histogram);
    EXPECT_DOUBLE_EQ(histogram.all.accesses(), 1);
    EXPECT_EQ(stack.known_pages(), Pages(1));
}

TEST(EpochStack, OldEpochsMergeWithoutLosingPages) {
    EpochStack stack;
    GroupedHistogram histogram(Pages(1), 20000);
    const auto epochs = static_cast<PageKey>(EpochStack::max_epochs * 2 + 100);
    for (PageKey epoch = 0; epoch < epochs; ++epoch)
        stack.end_epoch(pages(epoch, 1), nothing_gone, histogram);
    EXPECT_EQ(stack.known_pages(), Pages(epochs));
    stack.end_epoch(pages(0, 1), nothing_gone, histogram);
    // The oldest page was merged with neighbours, at most all of the older half; it cannot have come up above the newer half.
    EXPECT_NEAR(histogram.all.misses(Pages(epochs / 4)), 1, 1e-6);
    EXPECT_DOUBLE_EQ(histogram.all.misses(Pages(epochs)), 0);
}

// A week with a clock that redraws itself: each epoch leaves the previous one without pages.
TEST(EpochStack, IdleEpochsDoNotPushWorkTogether) {
    EpochStack stack;
    GroupedHistogram histogram(Pages(1), 2000);
    for (PageKey epoch = 0; epoch < 10; ++epoch)
        stack.end_epoch(pages(100 * epoch, 100), nothing_gone, histogram);
    for (std::size_t epoch = 0; epoch < 2 * EpochStack::max_epochs; ++epoch)
        stack.end_epoch(pages(5000, 1), nothing_gone, histogram);
    GroupedHistogram back(Pages(1), 2000);
    stack.end_epoch(pages(300, 1), nothing_gone, back);
    EXPECT_NEAR(back.all.misses(Pages(600)), 1, 1e-6) << "below the six epochs that followed its own";
    EXPECT_DOUBLE_EQ(back.all.misses(Pages(701)), 0);
}

TEST(EpochStack, WhatStocktakingFindsMayNeverHaveBeenUsed) {
    EpochStack stack;
    GroupedHistogram histogram(Pages(1), 100);
    EXPECT_EQ(stack.used_pages(), Pages(0));
    stack.add_first_scan(pages(0, 50), histogram);
    EXPECT_EQ(stack.used_pages(), Pages(0));
    stack.end_epoch(pages(40, 20), nothing_gone, histogram);  // ten of them, and ten new ones
    EXPECT_EQ(stack.used_pages(), Pages(20));
    stack.end_epoch({}, nothing_gone, histogram);
    EXPECT_EQ(stack.used_pages(), Pages(20));
    for (std::size_t epoch = 0; epoch < EpochStack::max_epochs; ++epoch)
        stack.end_epoch(pages(45, 1), nothing_gone, histogram);
    EXPECT_EQ(stack.used_pages(), Pages(60)) << "after a merge of epochs all pages count as used";
    EpochStack recorded;
    recorded.end_epoch(pages(0, 50), nothing_gone, histogram);
    EXPECT_EQ(recorded.used_pages(), Pages(50));
}

// Exact stack distances of a sequence of raw references (Mattson et al. 1970), as the oracle.
class Mattson {
public:
    void reference(PageKey key, LruHistogram& exact) {
        const auto place = std::find(stack_.begin(), stack_.end(), key);
        if (place != stack_.end()) {
            const auto distance = static_cast<double>(std::distance(stack_.begin(), place));
            exact.add(distance, distance, 1);
            stack_.erase(place);
        }
        stack_.push_front(key);
    }

private:
    std::list<PageKey> stack_;
};

// A skewed working set of 600 pages, 20 references an epoch of the notes' size. The footprint of an epoch is well below the sizes
// that are compared.
TEST(EpochStack, FollowsMattsonOnASkewedWorkload) {
    std::mt19937_64 random(7);
    std::vector<double> weights;
    for (int rank = 1; rank <= 600; ++rank)
        weights.push_back(std::pow(rank, -0.8));
    std::discrete_distribution<PageKey> zipf(weights.begin(), weights.end());
    LruHistogram exact(Pages(1), 1000);
    GroupedHistogram estimate(Pages(1), 1000);
    Mattson mattson;
    EpochStack stack;
    for (int epoch = 0; epoch < 3000; ++epoch) {
        std::set<PageKey> touched;
        for (int reference = 0; reference < 20; ++reference) {
            const PageKey key = zipf(random);
            mattson.reference(key, exact);
            touched.insert(key);
        }
        std::vector<SampledPage> sample;
        for (const PageKey key : touched)
            sample.push_back({key, 1});
        stack.end_epoch(sample, nothing_gone, estimate);
    }
    // Reference bits hide repeated touches but no misses: compare absolute misses, as a ratio of all references.
    for (const Pages size : {Pages(100), Pages(200), Pages(300), Pages(400), Pages(500), Pages(590)})
        EXPECT_NEAR(estimate.all.misses(size) / 60000, exact.misses(size) / 60000, 0.01) << size;
}

// A loop is the hardest case, a cliff: everything misses just below its length, nothing above.
TEST(EpochStack, FindsTheCliffOfALoop) {
    constexpr PageKey loop = 500;
    GroupedHistogram estimate(Pages(1), 1000);
    EpochStack stack;
    PageKey next = 0;
    for (int epoch = 0; epoch < 400; ++epoch) {
        std::vector<SampledPage> sample;
        for (int reference = 0; reference < 37; ++reference) {
            sample.push_back({next, 1});
            next = (next + 1) % loop;
        }
        stack.end_epoch(sample, nothing_gone, estimate);
    }
    EXPECT_NEAR(estimate.all.of(Backing::anonymous).smallest_size(0, Pages(1000)).as_double(), loop, 40);
    EXPECT_GT(estimate.all.misses(Pages(loop - 80)), 0.99 * estimate.all.accesses());
}

TEST(EpochStack, EachBackingHasItsAccesses) {
    EpochStack stack;
    GroupedHistogram histogram(Pages(1), 100);
    std::vector<SampledPage> both{{1, 1, Backing::anonymous}, {2, 1, Backing::file}, {3, 1, Backing::file}};
    stack.end_epoch(both, nothing_gone, histogram);
    stack.end_epoch(both, nothing_gone, histogram);
    EXPECT_DOUBLE_EQ(histogram.all.of(Backing::anonymous).accesses(), 1);
    EXPECT_DOUBLE_EQ(histogram.all.of(Backing::file).accesses(), 2);
}

// Each sub-group's curve stands for all pages: the same cliff, found by an eighth of them.
TEST(EpochStack, SubGroupsAreEstimatesOfTheWhole) {
    constexpr PageKey loop = 4000;
    GroupedHistogram estimate(Pages(10), 1000);
    EpochStack stack;
    PageKey next = 0;
    for (int epoch = 0; epoch < 100; ++epoch) {
        std::vector<SampledPage> sample;
        for (int reference = 0; reference < 300; ++reference, next = (next + 1) % loop)
            sample.push_back({next, 1});
        stack.end_epoch(sample, nothing_gone, estimate);
    }
    double sum = 0;
    double spread = 0;
    for (const BackedHistogram& group : estimate.groups) {
        const auto size = group.of(Backing::anonymous).smallest_size(0, Pages(8000)).as_double();
        EXPECT_NEAR(size, loop, 0.25 * loop);
        EXPECT_NEAR(group.accesses(), estimate.all.accesses(), 0.25 * estimate.all.accesses());
        sum += size;
        spread = std::max(spread, std::abs(size - static_cast<double>(loop)));
    }
    EXPECT_NEAR(sum / GroupedHistogram::nr_groups, loop, 0.1 * loop);
    EXPECT_GT(spread, 0) << "the sub-groups are no copies of each other";
}

}  // namespace
}  // namespace tmm::core
