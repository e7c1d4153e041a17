// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/distances/lru_histogram.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

TEST(LruHistogram, MissesAreTheAccessesDeeperThanTheSize) {
    LruHistogram histogram(Pages(10), 10);
    histogram.add(5, 5, 3);
    histogram.add(55, 55, 2);
    EXPECT_DOUBLE_EQ(histogram.accesses(), 5);
    EXPECT_DOUBLE_EQ(histogram.misses(Pages(0)), 5);
    EXPECT_DOUBLE_EQ(histogram.misses(Pages(10)), 2);
    EXPECT_DOUBLE_EQ(histogram.misses(Pages(50)), 2);
    EXPECT_DOUBLE_EQ(histogram.misses(Pages(60)), 0);
}

TEST(LruHistogram, AnIntervalIsSpreadEvenly) {
    LruHistogram histogram(Pages(10), 10);
    histogram.add(5, 35, 30);
    EXPECT_DOUBLE_EQ(histogram.buckets()[0], 5);
    EXPECT_DOUBLE_EQ(histogram.buckets()[1], 10);
    EXPECT_DOUBLE_EQ(histogram.buckets()[2], 10);
    EXPECT_DOUBLE_EQ(histogram.buckets()[3], 5);
}

TEST(LruHistogram, ABucketIsTakenInProportion) {
    LruHistogram histogram(Pages(10), 10);
    histogram.add(20, 30, 8);
    EXPECT_DOUBLE_EQ(histogram.misses(Pages(25)), 4);
}

TEST(LruHistogram, MissesBetweenTwoSizesAreTheirDifference) {
    LruHistogram histogram(Pages(10), 10);
    histogram.add(3, 88, 40);
    histogram.add(95, 105, 10);
    for (std::uint64_t smaller = 0; smaller < 130; smaller += 7) {
        for (std::uint64_t larger = smaller; larger < 130; larger += 3)
            EXPECT_NEAR(histogram.misses_between(Pages(smaller), Pages(larger)),
                        histogram.misses(Pages(smaller)) - histogram.misses(Pages(larger)), 1e-12);
    }
}

TEST(LruHistogram, WhatIsTooDeepStaysAMissInAnyMemory) {
    LruHistogram histogram(Pages(10), 10);
    histogram.add(1e12, 1e12, 4);
    histogram.add(95, 105, 10);  // half of it beyond the buckets
    EXPECT_DOUBLE_EQ(histogram.misses(Pages(100)), 9);
    EXPECT_DOUBLE_EQ(histogram.misses(Pages(1'000'000)), 9);
    EXPECT_DOUBLE_EQ(histogram.accesses(), 14);
}

TEST(LruHistogram, NegativeAndReversedIntervalsAreClamped) {
    LruHistogram histogram(Pages(10), 10);
    histogram.add(-5, -1, 1);
    histogram.add(20, 10, 1);
    EXPECT_DOUBLE_EQ(histogram.buckets()[0], 1);
    EXPECT_DOUBLE_EQ(histogram.buckets()[2], 1);
}

TEST(LruHistogram, SmallestSizeKeepsToTheMissesAllowed) {
    LruHistogram histogram(Pages(10), 10);
    histogram.add(15, 15, 100);
    histogram.add(45, 45, 5);
    EXPECT_EQ(histogram.smallest_size(0, Pages(100)), Pages(50));
    EXPECT_EQ(histogram.smallest_size(5, Pages(100)), Pages(20));
    EXPECT_EQ(histogram.smallest_size(104, Pages(100)), Pages(20));
    EXPECT_EQ(histogram.smallest_size(105, Pages(100)), Pages(0));
}

TEST(LruHistogram, SmallestSizeStopsAtTheLimit) {
    LruHistogram histogram(Pages(10), 10);
    histogram.add(85, 85, 7);
    EXPECT_EQ(histogram.smallest_size(0, Pages(45)), Pages(50)) << "no smaller size suffices: the limit, rounded up";
    EXPECT_EQ(histogram.smallest_size(7, Pages(45)), Pages(0));
    EXPECT_EQ(LruHistogram(Pages(10), 10).smallest_size(0, Pages(100)), Pages(0)) << "no accesses, no need";
}

TEST(LruHistogram, AveragesWithWeightAndScale) {
    LruHistogram permanent(Pages(10), 2);
    LruHistogram newer(Pages(10), 2);
    permanent.add(5, 5, 16);
    newer.add(5, 5, 64);
    permanent.average_in(newer, 0.5, 0.25);
    EXPECT_DOUBLE_EQ(permanent.buckets()[0], 0.75 * 16 + 0.25 * 32);
}

}  // namespace
}  // namespace tmm::core
