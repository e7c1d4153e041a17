// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/aged_histogram.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

using Outcome = AgedHistogram::Outcome;
constexpr Pages total(1000);  // so accesses at most 100 deep are noise

AgedHistogram histogram_with(AgeingParameters parameters = {}) {
    return {parameters, Pages(10), 200};
}

AgedHistogram::Epoch epoch(int seconds, bool goal_violated, Pages known = {}) {
    return {.length = Seconds(seconds), .total_pages = total, .known_pages = known, .goal_violated = goal_violated};
}

AgedHistogram::Epoch active_epoch(int seconds, double active) {
    return {.length = Seconds(seconds), .active = Seconds(active), .total_pages = total};
}

TEST(AgedHistogram, LearnsRatesFromTheFirstShortPeriod) {
    AgedHistogram histogram = histogram_with();
    histogram.temporary().add_counted(500, 500, {3000, 0});
    EXPECT_EQ(histogram.end_epoch(epoch(10, false)), Outcome::collecting);
    EXPECT_FALSE(histogram.learned());
    EXPECT_EQ(histogram.end_epoch(epoch(5, false)), Outcome::aged);
    EXPECT_TRUE(histogram.learned());
    EXPECT_DOUBLE_EQ(histogram.rates().all.accesses(), 200);
    EXPECT_EQ(histogram.temporary().all.accesses(), 0) << "a new period begins";
}

TEST(AgedHistogram, WhileLearningItIsTheMeanOverAllTime) {
    AgedHistogram histogram = histogram_with();
    histogram.temporary().add_counted(500, 500, {15 * 100, 0});
    EXPECT_EQ(histogram.end_epoch(epoch(15, false)), Outcome::aged);
    histogram.temporary().add_counted(500, 500, {15 * 300, 0});
    EXPECT_EQ(histogram.end_epoch(epoch(15, false)), Outcome::aged) << "the second period is as long as the first";
    EXPECT_DOUBLE_EQ(histogram.rates().all.accesses(), 200);
    histogram.temporary().add_counted(500, 500, {30 * 800, 0});
    EXPECT_EQ(histogram.end_epoch(epoch(15, false)), Outcome::collecting) << "the third is as long as both";
    EXPECT_EQ(histogram.end_epoch(epoch(15, false)), Outcome::aged);
    EXPECT_DOUBLE_EQ(histogram.rates().all.accesses(), 500);
}

TEST(AgedHistogram, ThenAPeriodCountsByAlpha) {
    AgedHistogram histogram = histogram_with({.alpha = 0.25, .period = Seconds(10), .learning_period = Seconds(10)});
    for (int period = 0; period < 4; ++period) {
        histogram.temporary().add_counted(500, 500, {10 * 100, 0});
        EXPECT_EQ(histogram.end_epoch(epoch(10, false)), Outcome::aged);
    }
    histogram.temporary().add_counted(500, 500, {10 * 500, 0});
    EXPECT_EQ(histogram.end_epoch(epoch(10, false)), Outcome::aged);
    EXPECT_DOUBLE_EQ(histogram.rates().all.accesses(), 0.75 * 100 + 0.25 * 500);
}

TEST(AgedHistogram, TheActiveShareIsAMeanLikeTheRates) {
    AgedHistogram histogram = histogram_with();
    for (const double active : {15.0, 3.0}) {
        histogram.temporary().add_counted(500, 500, {15 * 100, 0});
        ASSERT_EQ(histogram.end_epoch(active_epoch(15, active)), Outcome::aged);
    }
    EXPECT_DOUBLE_EQ(histogram.active_share(), (15.0 + 3.0) / 30);
}

TEST(AgedHistogram, TheActiveTimeOfNoiseIsDropped) {
    AgedHistogram histogram = histogram_with();
    ASSERT_EQ(histogram.end_epoch(active_epoch(15, 15)), Outcome::noise);
    histogram.temporary().add_counted(500, 500, {15 * 100, 0});
    ASSERT_EQ(histogram.end_epoch(active_epoch(15, 3)), Outcome::aged);
    EXPECT_DOUBLE_EQ(histogram.active_share(), 3.0 / 15);
}

TEST(AgedHistogram, NoiseLeavesItUnmovedForDays) {
    AgedHistogram histogram = histogram_with();
    histogram.temporary().add_counted(500, 500, {15 * 100, 0});
    ASSERT_EQ(histogram.end_epoch(epoch(15, false)), Outcome::aged);
    const auto before = histogram.rates().all.of(Backing::anonymous).buckets();
    int dropped = 0;
    for (int second = 0; second < 72 * 3600; second += 10) {
        histogram.temporary().add_counted(50, 50, {50000, 0});  // an idle desktop's few pages, touched all the time
        histogram.temporary().add_counted(500, 500, {90, 0});   // and some deeper: 9 a second
        const Outcome outcome = histogram.end_epoch(epoch(10, false));
        ASSERT_NE(outcome, Outcome::aged);
        dropped += outcome == Outcome::noise;
    }
    EXPECT_GT(dropped, 1000);
    EXPECT_EQ(histogram.rates().all.of(Backing::anonymous).buckets(), before);
}

TEST(AgedHistogram, MoreThanTenDeepAccessesASecondAreUse) {
    AgedHistogram histogram = histogram_with();
    histogram.temporary().add_counted(500, 500, {15 * 11, 0});
    EXPECT_EQ(histogram.end_epoch(epoch(15, false)), Outcome::aged);
}

TEST(AgedHistogram, AViolatedGoalCountsAtOnceAndAtLeastByAlpha) {
    AgedHistogram histogram = histogram_with({.alpha = 0.25, .period = Seconds(100), .learning_period = Seconds(100)});
    histogram.temporary().add_counted(500, 500, {100 * 100, 0});
    ASSERT_EQ(histogram.end_epoch(epoch(100, false)), Outcome::aged);
    histogram.temporary().add_counted(800, 800, {1 * 400, 0});
    EXPECT_EQ(histogram.end_epoch(epoch(1, true)), Outcome::aged);
    EXPECT_DOUBLE_EQ(histogram.rates().all.misses(Pages(700)), 100)
        << "a quarter of 400/s, though it is one second after a hundred";
}

TEST(AgedHistogram, AViolationBeforeAnythingWasLearnedIsLearned) {
    AgedHistogram histogram = histogram_with();
    histogram.temporary().add_counted(800, 800, {40, 0});
    EXPECT_EQ(histogram.end_epoch(epoch(1, true)), Outcome::aged);
    EXPECT_DOUBLE_EQ(histogram.rates().all.accesses(), 40);
}

TEST(AgedHistogram, AnEpochWithoutLengthChangesNothing) {
    AgedHistogram histogram = histogram_with();
    histogram.temporary().add_counted(800, 800, {40, 0});
    histogram.end_epoch(epoch(0, true));
    EXPECT_FALSE(histogram.learned());
}

// Programs start and read files: pages that will be used again have been used only once so far.
TEST(AgedHistogram, LearnsOnWhileNewPagesKeepComing) {
    AgedHistogram histogram = histogram_with();
    Pages known(100);
    histogram.temporary().add_counted(500, 500, {3000, 0});
    for (int second = 0; second < 40; ++second)
        EXPECT_EQ(histogram.end_epoch(epoch(1, false, known += Pages(10))), Outcome::collecting) << second;
    for (int second = 40; second < 60; ++second)
        EXPECT_EQ(histogram.end_epoch(epoch(1, false, known)), second == 59 ? Outcome::aged : Outcome::collecting) << second;
}

TEST(AgedHistogram, NoiseDoesNotProlongTheFirstPeriodAfterIt) {
    AgedHistogram histogram = histogram_with();
    ASSERT_EQ(histogram.end_epoch(epoch(15, false)), Outcome::noise);
    histogram.temporary().add_counted(500, 500, {3000, 0});
    EXPECT_EQ(histogram.end_epoch(epoch(15, false)), Outcome::aged);
}

TEST(AgedHistogram, DoesNotLearnForEver) {
    AgedHistogram histogram = histogram_with();
    histogram.temporary().add_counted(500, 500, {3000, 0});
    Pages known(100);
    int seconds = 0;
    while (histogram.end_epoch(epoch(1, false, known += known)) == Outcome::collecting && seconds < 50)
        ++seconds;
    EXPECT_EQ(seconds, 50);
    known = Pages(100);
    while (histogram.end_epoch(epoch(1, false, known += Pages(1000))) == Outcome::collecting && seconds < 1000)
        ++seconds;
    EXPECT_LE(seconds, 120 + 15);
}

}  // namespace
}  // namespace tmm::core
