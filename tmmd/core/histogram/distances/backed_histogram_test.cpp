// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/distances/backed_histogram.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

TEST(BackedHistogram, CountsEachBackingForItself) {
    BackedHistogram histogram(Pages(10), 10);
    histogram.add(25, 25, {3, 2});
    histogram.add(55, 55, {0, 4});
    EXPECT_DOUBLE_EQ(histogram.of(Backing::anonymous).accesses(), 3);
    EXPECT_DOUBLE_EQ(histogram.of(Backing::file).misses(Pages(50)), 4);
    EXPECT_DOUBLE_EQ(histogram.misses(Pages(50)), 4);
    EXPECT_DOUBLE_EQ(histogram.accesses(), 9);
}

TEST(BackedHistogram, WeighsMissesByWhatTheyCost) {
    BackedHistogram histogram(Pages(10), 10);
    histogram.add(55, 55, {100, 10});
    EXPECT_DOUBLE_EQ(histogram.weighted({0.001, 0.1}).misses(Pages(50)), 1.1);
}

TEST(BackedHistogram, RebucketingKeepsTheCurve) {
    BackedHistogram histogram(Pages(10), 10);
    histogram.add(20, 40, {8, 0});
    histogram.add(1e9, 1e9, {0, 3});  // bottomless stays bottomless
    const BackedHistogram finer = histogram.rebucketed(Pages(5), 40);
    EXPECT_DOUBLE_EQ(finer.accesses(), 11);
    EXPECT_DOUBLE_EQ(finer.misses(Pages(30)), 4 + 3);
    EXPECT_DOUBLE_EQ(finer.misses(Pages(200)), 3);
    const BackedHistogram coarser = histogram.rebucketed(Pages(40), 2);
    EXPECT_DOUBLE_EQ(coarser.misses(Pages(40)), 3);
    EXPECT_DOUBLE_EQ(coarser.misses(Pages(20)), 4 + 3);
}

}  // namespace
}  // namespace tmm::core
