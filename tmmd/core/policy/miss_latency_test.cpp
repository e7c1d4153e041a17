// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/miss_latency.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tmm::core {
namespace {

constexpr auto anonymous = static_cast<std::size_t>(Backing::anonymous);
constexpr auto file = static_cast<std::size_t>(Backing::file);

constexpr double unmeasured = LatencyEstimate::unmeasured.count();

// Epochs with so many reads, each of so many seconds.
void add_epochs(LatencyEstimate& estimate, int epochs, double reads, double each) {
    for (int epoch = 0; epoch < epochs; ++epoch)
        estimate.add({reads, Seconds(reads * each)});
}

TEST(LatencyEstimate, BeginsWithThePapersDisk) {
    LatencyEstimate estimate;
    EXPECT_DOUBLE_EQ(estimate.usual().count(), unmeasured);
    EXPECT_EQ(estimate.reads(), 0);
    EXPECT_FALSE(estimate.is_measured());
}

TEST(LatencyEstimate, FindsTheLatencyOfAFastAndOfASlowStore) {
    for (const double each : {0.000003, 0.0001, 0.012}) {
        LatencyEstimate estimate;
        add_epochs(estimate, 20, 100, each);
        EXPECT_TRUE(estimate.is_measured());
        EXPECT_GE(estimate.usual().count(), std::min(each, unmeasured) * 0.999);
        EXPECT_NEAR(estimate.usual().count() / each, 1, 0.25) << each;
    }
}

TEST(LatencyEstimate, IsTheMeanOfEpochsThatAreAlike) {
    LatencyEstimate estimate;
    for (int pair = 0; pair < 500; ++pair) {
        add_epochs(estimate, 1, 50, 0.010);
        add_epochs(estimate, 1, 50, 0.020);
    }
    EXPECT_NEAR(estimate.usual().count(), 0.015, 0.0002);
}

// Seen on a lived-in machine: as a contribution was swapped out, some 50 reads of files took 256 ms each.
TEST(LatencyEstimate, AFullQueueDoesNotSayHowSlowTheStoreIs) {
    LatencyEstimate estimate;
    add_epochs(estimate, 1, 50, 0.256);
    EXPECT_DOUBLE_EQ(estimate.usual().count(), unmeasured) << "the first reads of all";
    add_epochs(estimate, 20, 50, 0.002);
    const double before = estimate.usual().count();
    add_epochs(estimate, 1, 5000, 0.256);
    EXPECT_NEAR(estimate.usual().count(), before, before / 100) << "many reads of one epoch are one observation";
}

TEST(LatencyEstimate, BelievesManySlowEpochs) {
    LatencyEstimate estimate;
    add_epochs(estimate, 20, 50, 0.002);
    add_epochs(estimate, 60, 50, 0.256);
    EXPECT_NEAR(estimate.usual().count(), 0.256, 0.1);
}

TEST(LatencyEstimate, ForgetsTheDiskThatWas) {
    LatencyEstimate estimate;
    add_epochs(estimate, 100, 5000, 0.01);
    add_epochs(estimate, 1000, 1000, 0.0001);
    EXPECT_NEAR(estimate.usual().count(), 0.0001, 0.00001);
    EXPECT_LE(estimate.reads(), LatencyEstimate::remembered_reads * 1.0001);
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
    estimate.restore(100, Seconds(std::nan("")));
    EXPECT_DOUBLE_EQ(estimate.usual().count(), unmeasured);
    add_epochs(estimate, 1000, 50, 1e9);  // slower than any bucket
    EXPECT_GT(estimate.usual().count(), 1);
}

TEST(LatencyEstimate, IsRestoredAsItWas) {
    LatencyEstimate estimate;
    add_epochs(estimate, 7, 50, 0.0001);
    add_epochs(estimate, 3, 50, 0.03);
    LatencyEstimate other;
    other.restore(estimate.reads(), estimate.usual());
    EXPECT_DOUBLE_EQ(other.usual().count(), estimate.usual().count());
    EXPECT_DOUBLE_EQ(other.reads(), estimate.reads());
    EXPECT_TRUE(other.is_measured());
    other.restore(1, LatencyEstimate::unmeasured);
    add_epochs(other, 1, 50, 0.256);
    EXPECT_DOUBLE_EQ(other.usual().count(), unmeasured) << "one read weighs no more than it did";
}

TEST(MissLatency, EachBackingHasItsOwn) {
    MissLatency latency;
    for (int epoch = 0; epoch < 50; ++epoch)
        latency.add({StoreReads{50, Seconds(0.005)}, {}, {}});
    EXPECT_NEAR(latency.usual()[anonymous], 0.0001, 1e-9);
    EXPECT_DOUBLE_EQ(latency.usual()[file], unmeasured);
}

TEST(MissLatency, SwapOnSeveralStoresIsAMixture) {
    MissLatency latency;
    EXPECT_DOUBLE_EQ(latency.usual()[anonymous], unmeasured);
    latency.of(Store::swap_disk).restore(100, Seconds(0.01));
    latency.of(Store::swap_zram).restore(900, Seconds(0.00001));
    EXPECT_NEAR(latency.usual()[anonymous], 0.1 * 0.01 + 0.9 * 0.00001, 1e-9);
}

}  // namespace
}  // namespace tmm::core
