// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/distances/aged_histogram.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

using Outcome = AgedHistogram::Outcome;
constexpr Pages total(1000);  // so accesses at most 100 deep are noise

AgedHistogram histogram_with(AgeingParameters parameters = {}) {
    return {parameters, Pages(10), 200};
}

// So many accesses, all at one position.
BackedHistogram accesses(double position, double number) {
    BackedHistogram histogram(Pages(10), 200);
    histogram.add(position, position, {number, 0});
    return histogram;
}

AgedHistogram::Epoch epoch(int seconds, bool goal_violated = false) {
    return {.length = Seconds(seconds), .total_pages = total, .goal_violated = goal_violated};
}

AgedHistogram::Epoch active_epoch(int seconds, double active) {
    return {.length = Seconds(seconds), .active = Seconds(active), .total_pages = total};
}

TEST(AgedHistogram, APeriodLastsTenMinutes) {
    AgedHistogram histogram = histogram_with();
    EXPECT_EQ(histogram.end_epoch(accesses(500, 60000), epoch(599)), Outcome::collecting);
    EXPECT_FALSE(histogram.learned());
    EXPECT_EQ(histogram.misses_per_s(Pages(0)), 0);
    EXPECT_EQ(histogram.misses_beyond_per_s(Pages(0), Pages(700)), (ByBacking{0, 0}));
    EXPECT_EQ(histogram.end_epoch(accesses(800, 60000), epoch(1)), Outcome::aged);
    EXPECT_TRUE(histogram.learned());
    EXPECT_DOUBLE_EQ(histogram.accesses_per_s(), 200);
    EXPECT_DOUBLE_EQ(histogram.misses_per_s(Pages(700)), 100);
    EXPECT_EQ(histogram.misses_beyond_per_s(Pages(0), Pages(700)), (ByBacking{100, 0}));
    EXPECT_EQ(histogram.misses_beyond_per_s(Pages(700), Pages(900)), (ByBacking{100, 0}));
}

TEST(AgedHistogram, APeriodEntersByAlphaAndHoweverManyAccessesItHas) {
    AgedHistogram histogram = histogram_with({.alpha = 0.25});
    ASSERT_EQ(histogram.end_epoch(accesses(500, 1e6), epoch(600)), Outcome::aged);
    EXPECT_DOUBLE_EQ(histogram.shares().accesses(), 0.25) << "it began with nothing";
    ASSERT_EQ(histogram.end_epoch(accesses(800, 1e5), epoch(600)), Outcome::aged);
    EXPECT_DOUBLE_EQ(histogram.shares().misses(Pages(700)), 0.25) << "a share of the accesses of its period";
    EXPECT_DOUBLE_EQ(histogram.shares().accesses(), 0.75 * 0.25 + 0.25);
}

TEST(AgedHistogram, RatesAreMeansOverThePeriods) {
    AgedHistogram histogram = histogram_with({.alpha = 0.5});
    ASSERT_EQ(histogram.end_epoch(accesses(500, 600 * 100), active_epoch(600, 60)), Outcome::aged);
    EXPECT_DOUBLE_EQ(histogram.accesses_per_s(), 100);
    EXPECT_DOUBLE_EQ(histogram.active_share(), 0.1);
    ASSERT_EQ(histogram.end_epoch(accesses(500, 600 * 400), active_epoch(600, 600)), Outcome::aged);
    EXPECT_DOUBLE_EQ(histogram.accesses_per_s(), (0.25 * 100 + 0.5 * 400) / 0.75);
    EXPECT_DOUBLE_EQ(histogram.active_share(), (0.25 * 0.1 + 0.5 * 1) / 0.75);
}

TEST(AgedHistogram, TheActiveTimeOfNoiseIsDropped) {
    AgedHistogram histogram = histogram_with();
    ASSERT_EQ(histogram.end_epoch(accesses(500, 1), active_epoch(600, 600)), Outcome::noise);
    ASSERT_EQ(histogram.end_epoch(accesses(500, 60000), active_epoch(600, 60)), Outcome::aged);
    EXPECT_DOUBLE_EQ(histogram.active_share(), 0.1);
    EXPECT_DOUBLE_EQ(histogram.accesses_per_s(), 100);
}

TEST(AgedHistogram, NoiseLeavesItUnmovedForDays) {
    AgedHistogram histogram = histogram_with();
    ASSERT_EQ(histogram.end_epoch(accesses(500, 60000), epoch(600)), Outcome::aged);
    const auto before = histogram.shares().of(Backing::anonymous).buckets();
    int dropped = 0;
    for (int second = 0; second < 72 * 3600; second += 10) {
        BackedHistogram noise = accesses(50, 50000);  // an idle desktop's few pages, touched all the time
        noise.add(500, 500, {90, 0});                 // and some deeper: 9 a second
        const Outcome outcome = histogram.end_epoch(noise, epoch(10));
        ASSERT_NE(outcome, Outcome::aged);
        dropped += outcome == Outcome::noise;
    }
    EXPECT_EQ(dropped, 72 * 6);
    EXPECT_EQ(histogram.shares().of(Backing::anonymous).buckets(), before);
}

TEST(AgedHistogram, MoreThanTenDeepAccessesASecondAreUse) {
    AgedHistogram histogram = histogram_with();
    EXPECT_EQ(histogram.end_epoch(accesses(500, 600 * 10), epoch(600)), Outcome::noise);
    EXPECT_EQ(histogram.end_epoch(accesses(500, 600 * 10 + 1), epoch(600)), Outcome::aged);
}

TEST(AgedHistogram, AViolatedGoalAveragesThatEpochInAtOnce) {
    AgedHistogram histogram = histogram_with({.alpha = 0.25});
    ASSERT_EQ(histogram.end_epoch(accesses(500, 60000), epoch(600)), Outcome::aged);
    ASSERT_EQ(histogram.end_epoch(accesses(300, 9000), epoch(300)), Outcome::collecting);
    EXPECT_EQ(histogram.end_epoch(accesses(800, 4), epoch(1, true)), Outcome::aged) << "noise or not";
    EXPECT_DOUBLE_EQ(histogram.shares().misses(Pages(700)), 0.25);
    EXPECT_DOUBLE_EQ(histogram.shares().misses(Pages(400)), 0.25 + 0.75 * 0.25) << "the epochs before are dropped";
    EXPECT_EQ(histogram.end_epoch(accesses(500, 60000), epoch(599)), Outcome::collecting) << "a period begins";
}

TEST(AgedHistogram, AnEpochWithoutLengthOrAccessesChangesNothing) {
    AgedHistogram histogram = histogram_with({.noise_rate_per_s = -1});
    histogram.end_epoch(accesses(800, 40), epoch(0, true));
    EXPECT_FALSE(histogram.learned());
    EXPECT_EQ(histogram.end_epoch(accesses(800, 0), epoch(600)), Outcome::aged);
    EXPECT_FALSE(histogram.learned());
}

TEST(AgedHistogram, ARestoredOneGoesOn) {
    AgedHistogram histogram = histogram_with({.alpha = 0.25});
    histogram.restore(accesses(500, 1234), 200, 0.5);
    EXPECT_TRUE(histogram.learned());
    EXPECT_DOUBLE_EQ(histogram.misses_per_s(Pages(400)), 200);
    EXPECT_DOUBLE_EQ(histogram.active_share(), 0.5);
    ASSERT_EQ(histogram.end_epoch(accesses(800, 60000), epoch(600)), Outcome::aged);
    EXPECT_DOUBLE_EQ(histogram.shares().misses(Pages(700)), 0.25);
    EXPECT_DOUBLE_EQ(histogram.shares().accesses(), 1);
}

}  // namespace
}  // namespace tmm::core
