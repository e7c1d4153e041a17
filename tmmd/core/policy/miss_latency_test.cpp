// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/miss_latency.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tmm::core {
namespace {

constexpr auto anonymous = static_cast<std::size_t>(Backing::anonymous);
constexpr auto file = static_cast<std::size_t>(Backing::file);

TEST(LatencyEstimate, IsTheMeanOverTheReads) {
    LatencyEstimate estimate;
    EXPECT_EQ(estimate.mean().count(), 0);
    estimate.add({100, Seconds(0.1)});
    estimate.add({300, Seconds(0.9)});
    EXPECT_NEAR(estimate.mean().count(), 0.0025, 0.0001);
}

TEST(LatencyEstimate, ForgetsTheDiskThatWas) {
    LatencyEstimate estimate;
    estimate.add({5000, Seconds(50)});
    for (int epoch = 0; epoch < 100; ++epoch)
        estimate.add({1000, Seconds(0.1)});
    EXPECT_NEAR(estimate.mean().count(), 0.0001, 0.00001);
    EXPECT_LE(estimate.p95().count(), 0.00013);
    EXPECT_LE(estimate.reads(), LatencyEstimate::remembered_reads * 1.0001);
}

TEST(LatencyEstimate, P95IsTheSlowTwentieth) {
    LatencyEstimate estimate;
    estimate.add({960, Seconds(0.96)});  // 1 ms each
    EXPECT_NEAR(estimate.p95().count(), 0.001, 0.0002);
    estimate.add({100, Seconds(2)});  // more than a twentieth: 20 ms each
    EXPECT_NEAR(estimate.p95().count(), 0.02, 0.004);
    EXPECT_GE(estimate.p95(), estimate.mean());
}

TEST(LatencyEstimate, NonsenseIsNotTaken) {
    LatencyEstimate estimate;
    for (const StoreReads& reads : {StoreReads{0, Seconds(1)},
                                    {-5, Seconds(1)},
                                    {5, Seconds(-1)},
                                    {std::nan(""), Seconds(1)},
                                    {5, Seconds(std::nan(""))},
                                    {std::numeric_limits<double>::infinity(), Seconds(1)}})
        estimate.add(reads);
    EXPECT_EQ(estimate.reads(), 0);
    estimate.add({1, Seconds(1e9)});  // slower than any bucket
    EXPECT_GT(estimate.p95().count(), 1);
}

TEST(MissLatency, IsThePapersDiskUntilEnoughWasSeen) {
    MissLatency latency;
    EXPECT_DOUBLE_EQ(latency.mean()[anonymous], 0.0025);
    latency.add({StoreReads{31, Seconds(0.0031)}, {}, {}});
    EXPECT_DOUBLE_EQ(latency.mean()[anonymous], 0.0025);
    latency.add({StoreReads{2, Seconds(0.0002)}, {}, {}});
    EXPECT_NEAR(latency.mean()[anonymous], 0.0001, 1e-9);
    EXPECT_DOUBLE_EQ(latency.mean()[file], 0.0025) << "each backing has its own latency";
}

TEST(MissLatency, SwapOnSeveralStoresIsAMixture) {
    MissLatency latency;
    latency.add({StoreReads{100, Seconds(1)}, StoreReads{900, Seconds(0.009)}, {}});
    EXPECT_NEAR(latency.mean()[anonymous], 0.1 * 0.01 + 0.9 * 0.00001, 1e-9);
}

}  // namespace
}  // namespace tmm::core
