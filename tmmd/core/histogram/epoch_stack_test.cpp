// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/epoch_stack.hpp"

#include <gtest/gtest.h>

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
    BackedHistogram histogram(Pages(1), 100);
    stack.end_epoch(pages(0, 10), nothing_gone, histogram);
    EXPECT_DOUBLE_EQ(histogram.accesses(), 0);
    EXPECT_EQ(stack.known_pages(), Pages(10));
}

// The four terms of the position, one at a time, on the bounds that the header states.
TEST(EpochStack, PagesUsedInBetweenLieAbove) {
    EpochStack stack;
    BackedHistogram histogram(Pages(1), 1000);
    stack.end_epoch(pages(0, 1), nothing_gone, histogram);
    stack.end_epoch(pages(100, 50), nothing_gone, histogram);
    stack.end_epoch(pages(0, 1), nothing_gone, histogram);
    EXPECT_EQ(histogram.of(Backing::anonymous).buckets()[50], 1) << "M = 50, nothing else";
}

TEST(EpochStack, PagesOfTheSameOldEpochLieAboveByHalf) {
    EpochStack stack;
    BackedHistogram histogram(Pages(1), 1000);
    stack.end_epoch(pages(0, 41), nothing_gone, histogram);
    stack.end_epoch(pages(0, 1), nothing_gone, histogram);
    EXPECT_NEAR(histogram.misses(Pages(20)), 0.5, 0.02) << "a = 40: uniform in [0, 40]";
    EXPECT_DOUBLE_EQ(histogram.misses(Pages(40)), 0);
}

TEST(EpochStack, PagesTouchedFromFurtherBelowLieAboveByHalf) {
    EpochStack stack;
    BackedHistogram histogram(Pages(1), 1000);
    stack.end_epoch(pages(100, 30), nothing_gone, histogram);
    stack.end_epoch(pages(0, 1), nothing_gone, histogram);
    auto touched = pages(100, 30);
    touched.push_back({0, 1});
    touched.push_back({500, 1});  // new
    BackedHistogram of_all(Pages(1), 1000);
    stack.end_epoch(touched, nothing_gone, of_all);
    EXPECT_DOUBLE_EQ(of_all.misses(Pages(32)), 0)
        << "nothing lies deeper than b = 31 for the one, M = 1 and c = 29 and b = 1 for the others";
    EXPECT_NEAR(of_all.accesses(), 31, 1e-6);
}

TEST(EpochStack, ALoopWithinOneEpochEndsAtItsLength) {
    EpochStack stack;
    BackedHistogram histogram(Pages(1), 1000);
    for (int epoch = 0; epoch < 5; ++epoch)
        stack.end_epoch(pages(0, 101), nothing_gone, histogram);
    EXPECT_NEAR(histogram.accesses(), 4 * 101, 1e-6);
    EXPECT_NEAR(histogram.misses(Pages(75)) / histogram.accesses(), 0.5, 0.02) << "c = 100: uniform in [50, 100], mean 3c/4";
    EXPECT_GT(histogram.misses(Pages(98)), 0);
    EXPECT_DOUBLE_EQ(histogram.misses(Pages(101)), 0);
}

TEST(EpochStack, WeightsStandForPages) {
    EpochStack stack;
    BackedHistogram histogram(Pages(1), 1000);
    stack.end_epoch(pages(0, 1, 64), nothing_gone, histogram);
    stack.end_epoch(pages(1, 2, 64), nothing_gone, histogram);
    stack.end_epoch(pages(0, 1, 64), nothing_gone, histogram);
    EXPECT_EQ(histogram.of(Backing::anonymous).buckets()[128], 64);
    EXPECT_EQ(stack.known_pages(), Pages(3 * 64));
}

TEST(EpochStack, PagesGoneNoLongerCount) {
    EpochStack stack;
    BackedHistogram histogram(Pages(1), 1000);
    stack.end_epoch(pages(0, 1), nothing_gone, histogram);
    stack.end_epoch(pages(100, 50), nothing_gone, histogram);
    std::vector<PageKey> gone;
    for (PageKey key = 100; key < 130; ++key)
        gone.push_back(key);
    gone.push_back(9999);  // never known: harmless
    stack.end_epoch(pages(0, 1), gone, histogram);
    EXPECT_EQ(histogram.of(Backing::anonymous).buckets()[20], 1);
    EXPECT_EQ(stack.known_pages(), Pages(21));
}

TEST(EpochStack, APageListedTwiceCountsOnce) {
    EpochStack stack;
    BackedHistogram histogram(Pages(1), 10);
    const std::vector<SampledPage> twice{{1, 1}, {1, 1}};
    stack.end_epoch(twice, nothing_gone, histogram);
    stack.end_epoch(twice, nothing_gone, histogram);
    EXPECT_DOUBLE_EQ(histogram.accesses(), 1);
    EXPECT_EQ(stack.known_pages(), Pages(1));
}

TEST(EpochStack, OldEpochsMergeWithoutLosingPages) {
    constexpr PageKey max_epochs = 256;
    EpochStack stack(max_epochs);
    BackedHistogram histogram(Pages(1), 2000);
    const PageKey epochs = max_epochs * 2 + 10;
    for (PageKey epoch = 0; epoch < epochs; ++epoch)
        stack.end_epoch(pages(epoch, 1), nothing_gone, histogram);
    EXPECT_EQ(stack.known_pages(), Pages(epochs));
    stack.end_epoch(pages(0, 1), nothing_gone, histogram);
    // The oldest page was merged with neighbours, at most all of the older half; it cannot have come up above the newer half.
    EXPECT_NEAR(histogram.misses(Pages(epochs / 4)), 1, 1e-6);
    EXPECT_DOUBLE_EQ(histogram.misses(Pages(epochs)), 0);
}

// A week with a clock that redraws itself: each epoch leaves the previous one without pages.
TEST(EpochStack, IdleEpochsDoNotPushWorkTogether) {
    constexpr std::size_t max_epochs = 256;
    EpochStack stack(max_epochs);
    BackedHistogram histogram(Pages(1), 2000);
    for (PageKey epoch = 0; epoch < 10; ++epoch)
        stack.end_epoch(pages(100 * epoch, 100), nothing_gone, histogram);
    for (std::size_t epoch = 0; epoch < 2 * max_epochs; ++epoch)
        stack.end_epoch(pages(5000, 1), nothing_gone, histogram);
    BackedHistogram back(Pages(1), 2000);
    stack.end_epoch(pages(300, 1), nothing_gone, back);
    EXPECT_NEAR(back.misses(Pages(600)), 1, 1e-6) << "below the six epochs that followed its own";
    EXPECT_DOUBLE_EQ(back.misses(Pages(701)), 0);
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
    BackedHistogram estimate(Pages(1), 1000);
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
        EXPECT_NEAR(estimate.misses(size) / 60000, exact.misses(size) / 60000, 0.01) << size;
}

// A loop is the hardest case, a cliff: everything misses just below its length, nothing above.
TEST(EpochStack, FindsTheCliffOfALoop) {
    constexpr PageKey loop = 500;
    BackedHistogram estimate(Pages(1), 1000);
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
    EXPECT_NEAR(estimate.of(Backing::anonymous).smallest_size(0, Pages(1000)).as_double(), loop, 40);
    EXPECT_GT(estimate.misses(Pages(loop - 80)), 0.99 * estimate.accesses());
}

// Mean difference of two curves over the sizes from..to, as a share of the accesses.
template <typename One, typename Other>
double difference(const One& one, const Other& other, PageKey from, PageKey to) {
    double sum = 0;
    for (PageKey size = from; size < to; ++size)
        sum += std::abs(one.misses(Pages(size)) / one.accesses() - other.misses(Pages(size)) / other.accesses());
    return sum / static_cast<double>(to - from);
}

// Reference bits do not tell the order within an epoch. A loop, and one that turns back in every epoch, have the same bits and
// different curves. So any estimator errs by half their difference on one of them; this one does on both (docs/policy.md).
TEST(EpochStack, TwoLoopsWithTheSameBitsBoundTheError) {
    constexpr PageKey loop = 600;
    constexpr PageKey touched = 100;
    LruHistogram forward(Pages(1), 1000);
    LruHistogram turning(Pages(1), 1000);
    BackedHistogram estimate(Pages(1), 1000);
    Mattson forward_stack;
    Mattson turning_stack;
    EpochStack stack;
    for (PageKey epoch = 0; epoch < 60; ++epoch) {
        const PageKey first = epoch * touched % loop;
        for (PageKey i = 0; i < touched; ++i) {
            forward_stack.reference(first + i, forward);
            const bool back = epoch / (loop / touched) % 2 == 1;
            turning_stack.reference(back ? first + touched - 1 - i : first + i, turning);
        }
        stack.end_epoch(pages(first, touched), nothing_gone, estimate);
    }
    const double bound = difference(forward, turning, touched, loop) / 2;
    constexpr double share = static_cast<double>(touched) / loop;
    EXPECT_NEAR(bound, share / (1 - share) / 4, 0.002);
    EXPECT_NEAR(difference(estimate, forward, touched, loop), bound, 0.002);
    EXPECT_NEAR(difference(estimate, turning, touched, loop), bound, 0.002);
}

TEST(EpochStack, EachBackingHasItsAccesses) {
    EpochStack stack;
    BackedHistogram histogram(Pages(1), 100);
    std::vector<SampledPage> both{{1, 1, Backing::anonymous}, {2, 1, Backing::file}, {3, 1, Backing::file}};
    stack.end_epoch(both, nothing_gone, histogram);
    stack.end_epoch(both, nothing_gone, histogram);
    EXPECT_DOUBLE_EQ(histogram.of(Backing::anonymous).accesses(), 1);
    EXPECT_DOUBLE_EQ(histogram.of(Backing::file).accesses(), 2);
}

}  // namespace
}  // namespace tmm::core
