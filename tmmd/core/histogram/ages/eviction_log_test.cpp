// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/ages/eviction_log.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace tmm::core {
namespace {

using Epochs = std::vector<std::uint32_t>;

// One page comes back that was evicted so many evictions ago.
void refault(EvictionLog& log, std::uint64_t distance, double anonymous = 1) {
    log.add_refaults(std::vector<Refault>{{Pages(distance), Pages(distance), Pages(1)}}, anonymous);
}

// Pages leave that were last used in an epoch.
void leave(EvictionLog& log, std::uint32_t epoch, std::uint32_t weight) {
    log.add_gone({.epoch = epoch, .weight = weight});
}

std::uint64_t weight_of(const std::vector<LastUse>& pages) {
    return std::accumulate(pages.begin(), pages.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const LastUse& page) { return sum + page.weight; });
}

TEST(EvictionLog, TheKernelsCountTakesTheOldestFirst) {
    EvictionLog log;
    leave(log, 3, 10);
    leave(log, 1, 10);
    leave(log, 2, 10);
    log.add_evicted(Pages(12));
    log.add_evicted(Pages(10));
    const auto ended = log.end_epoch(5, 0);
    EXPECT_EQ(weight_of(ended.evicted), 20U) << "the nearest to 22";
    ASSERT_EQ(ended.evicted.size(), 2U);
    EXPECT_EQ(ended.evicted[0].epoch, 1U);
    EXPECT_EQ(ended.evicted[1].epoch, 2U);
    EXPECT_TRUE(log.end_epoch(6, 0).evicted.empty());
}

TEST(EvictionLog, WithoutACountThatOlderThanTheMedianIsTakenForEvicted) {
    EvictionLog log;
    leave(log, 3, 10);
    leave(log, 2, 10);
    leave(log, 1, 10);
    EXPECT_EQ(weight_of(log.end_epoch(5, 2).evicted), 20U);
}

TEST(EvictionLog, ADistanceTellsTheEpochOfTheLastUse) {
    EvictionLog log;
    leave(log, 1, 100);
    leave(log, 2, 100);
    log.add_evicted(Pages(200));
    log.end_epoch(5, 0);
    refault(log, 150);
    refault(log, 50, 0.25);
    const auto ended = log.end_epoch(6, 0);
    ASSERT_EQ(ended.returned.size(), 2U);
    EXPECT_EQ(ended.returned[0].epochs, (Epochs{1}));
    EXPECT_EQ(ended.returned[1].epochs, (Epochs{2}));
    EXPECT_EQ(ended.returned[1].pages, (ByBacking{0.25, 0.75}));
    EXPECT_TRUE(log.end_epoch(7, 0).returned.empty()) << "told once";
}

TEST(EvictionLog, ADistanceCountsFromTheEvictionsUntilTheRefault) {
    EvictionLog log;
    leave(log, 1, 100);
    log.add_evicted(Pages(100));
    log.end_epoch(5, 0);
    log.add_evicted(Pages(0));
    refault(log, 50);
    log.add_evicted(Pages(100));  // later in the epoch
    leave(log, 2, 100);
    EXPECT_EQ(log.end_epoch(6, 0).returned.at(0).epochs, (Epochs{1}));
}

TEST(EvictionLog, APageThatLeftAndCameBackInOneEpochMayBeAnyOfItsPages) {
    EvictionLog log;
    leave(log, 1, 100);
    log.add_evicted(Pages(100));
    log.end_epoch(5, 0);
    leave(log, 2, 100);
    leave(log, 3, 100);
    log.add_evicted(Pages(200));
    refault(log, 10);
    EXPECT_EQ(log.end_epoch(6, 0).returned.at(0).epochs, (Epochs{2, 3}));
}

TEST(EvictionLog, PagesThatNoScanSawWereUsedInTheEpochInWhichTheyLeft) {
    EvictionLog log;
    log.add_evicted(Pages(100));
    log.end_epoch(4, 0);
    refault(log, 10);
    EXPECT_EQ(log.end_epoch(5, 0).returned.at(0).epochs, (Epochs{4}));
}

TEST(EvictionLog, APageWithoutEvictionIsNotKnown) {
    EvictionLog log;
    refault(log, 0);
    const auto ended = log.end_epoch(0, 0);
    ASSERT_EQ(ended.returned.size(), 1U);
    EXPECT_TRUE(ended.returned[0].epochs.empty());
}

TEST(EvictionLog, FollowsNewNumbersOfEpochs) {
    EvictionLog log;
    leave(log, 2, 100);
    log.add_evicted(Pages(100));
    log.end_epoch(2, 0);
    log.renumber(Epochs{0, 0, 1});
    refault(log, 50);
    EXPECT_EQ(log.end_epoch(2, 0).returned.at(0).epochs, (Epochs{1}));
}

TEST(EvictionLog, IsBoundedAndForgetsWhatIsOldFirst) {
    EvictionLog log;
    constexpr auto nr_epochs = static_cast<std::uint32_t>(3 * EvictionLog::max_evictions);
    for (std::uint32_t epoch = 0; epoch < nr_epochs; ++epoch) {
        log.add_evicted(Pages(1));
        log.end_epoch(epoch, 0);
        ASSERT_LE(log.size(), EvictionLog::max_evictions);
    }
    for (const std::uint32_t ago : {100U, nr_epochs - 100}) {
        refault(log, ago);
        const Epochs epochs = log.end_epoch(nr_epochs, 0).returned.at(0).epochs;
        ASSERT_EQ(epochs.size(), 1U);
        EXPECT_NEAR(epochs[0], nr_epochs - ago, ago == 100 ? 0 : 256) << "old ones are known roughly";
    }
}

}  // namespace
}  // namespace tmm::core
