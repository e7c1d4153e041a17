// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/core/latencies.hpp"

#include <gtest/gtest.h>

namespace tmm::far {
namespace {

using namespace std::chrono_literals;

TEST(LatenciesTest, APercentileIsAtMostAQuarterTooLong) {
    Latencies latencies;
    EXPECT_EQ(latencies.percentile(0.5), 0ns);
    for (int n = 1; n <= 100; ++n)
        latencies.add(n * 1us);
    EXPECT_GE(latencies.percentile(0.5), 50us);
    EXPECT_LE(latencies.percentile(0.5), 50us * 5 / 4);
    EXPECT_GE(latencies.percentile(0.99), 99us);
    EXPECT_LE(latencies.percentile(0.99), 99us * 5 / 4);
}

TEST(LatenciesTest, TakesAnyTime) {
    Latencies latencies;
    for (const auto time : {std::chrono::nanoseconds(-5), 0ns, std::chrono::nanoseconds::max()})
        latencies.add(time);
    EXPECT_EQ(latencies.count(), 3U);
    EXPECT_GT(latencies.percentile(1), 0ns);
}

}  // namespace
}  // namespace tmm::far
