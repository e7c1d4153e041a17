// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/page_census.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tmmd/core/histogram/spatial_sampling.hpp"

namespace tmm::core {
namespace {

TEST(SpatialSampling, TakesOnePageIn2ToTheShift) {
    for (const std::uint32_t shift : {0U, 1U, 3U, 6U}) {
        double taken = 0;
        for (PageKey key = 0; key < 1 << 16; ++key)
            taken += is_sampled(key, shift) ? 1 : 0;
        EXPECT_NEAR(taken, std::ldexp(1.0, 16 - static_cast<int>(shift)), 4 * std::sqrt(taken) + 0.1) << shift;
    }
}

TEST(SpatialSampling, ALargerShiftTakesASubset) {
    for (PageKey key = 0; key < 10000; ++key)
        EXPECT_LE(is_sampled(key, 4), is_sampled(key, 3)) << key;
}

TEST(PageCensus, ASmallTraceIsNotSampled) {
    PageCensus census(100, 13);
    for (int round = 0; round < 3; ++round)
        for (PageKey key = 0; key < 100; ++key)
            census.see(key, 2);
    EXPECT_EQ(census.shift(), 0U);
    EXPECT_EQ(census.pages(), Pages(200));
}

TEST(PageCensus, CountsAllPagesThoughFewFitTheSample) {
    PageCensus census(1000, 13);
    for (PageKey key = 0; key < 100'000; ++key)
        census.see(key, 1);
    EXPECT_EQ(census.shift(), 7U);
    EXPECT_EQ(census.pages(), Pages(100'000));
}

TEST(PageCensus, TheLargestWeightOfAPageCounts) {
    PageCensus census(10, 13);
    census.see(1, 1);
    census.see(1, 512);
    census.see(1, 1);
    EXPECT_EQ(census.pages(), Pages(512));
}

TEST(PageCensus, ManyPagesTakeTheLargestShift) {
    PageCensus census(1, 0);
    for (PageKey key = 0; key < 10; ++key)
        census.see(key, 1);
    EXPECT_EQ(census.shift(), 0U);
    EXPECT_EQ(census.pages(), Pages(10));
}

}  // namespace
}  // namespace tmm::core
