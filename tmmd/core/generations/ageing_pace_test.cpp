// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/generations/ageing_pace.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tmm::core {
namespace {

constexpr Seconds free_of_cost{0};

TEST(AgeingPace, DoublesWhileUsesAreOlderThanTheKernelTellsApart) {
    AgeingPace pace(0.002, 0.002);
    EXPECT_FALSE(pace.due(Seconds(9)));
    EXPECT_TRUE(pace.due(Seconds(10)));
    pace.epoch_ended(Seconds(10), Pages(10), free_of_cost);
    EXPECT_EQ(pace.planned(), Seconds(10)) << "one a second is as good as none";
    for (const double planned : {20, 40, 80, 160, 300, 300}) {
        pace.epoch_ended(Seconds(10), Pages(11), free_of_cost);
        EXPECT_EQ(pace.planned(), Seconds(planned));
    }
}

TEST(AgeingPace, HalvesWhenSuchUsesHaveEnded) {
    AgeingPace pace(0.002, 0.002);
    for (int i = 0; i < 2; ++i)
        pace.epoch_ended(Seconds(10), Pages(100), free_of_cost);
    for (int i = 0; i < AgeingPace::min_patience - 1; ++i)
        pace.epoch_ended(Seconds(40), Pages(0), free_of_cost);
    pace.epoch_ended(Seconds(40), Pages(41), free_of_cost);
    EXPECT_EQ(pace.planned(), Seconds(80));
    for (const double planned : {40, 20, 10, 10}) {
        for (int i = 0; i < AgeingPace::min_patience; ++i)
            pace.epoch_ended(Seconds(40), Pages(0), free_of_cost);
        EXPECT_EQ(pace.planned(), Seconds(planned));
    }
    pace.epoch_ended(Seconds(10), Pages(11), free_of_cost);
    EXPECT_EQ(pace.planned(), Seconds(20));
}

TEST(AgeingPace, WaitsLongerAfterHalvingTooEarly) {
    AgeingPace pace(0.002, 0.002);
    pace.epoch_ended(Seconds(10), Pages(11), free_of_cost);
    for (int patience = AgeingPace::min_patience; patience <= 2 * AgeingPace::max_patience; patience *= 2) {
        for (int i = 0; i < std::min(patience, AgeingPace::max_patience) - 1; ++i)
            pace.epoch_ended(Seconds(20), Pages(0), free_of_cost);
        EXPECT_EQ(pace.planned(), Seconds(20)) << patience;
        pace.epoch_ended(Seconds(20), Pages(0), free_of_cost);
        EXPECT_EQ(pace.planned(), Seconds(10)) << patience;
        // The pages were unused for two epochs before they counted as old.
        for (int i = 0; i < 3; ++i)
            pace.epoch_ended(Seconds(10), Pages(0), free_of_cost);
        pace.epoch_ended(Seconds(10), Pages(11), free_of_cost);
        EXPECT_EQ(pace.planned(), Seconds(20)) << patience;
    }
}

TEST(AgeingPace, MayCostMoreUntilItHasSettled) {
    AgeingPace pace(0.01, 0.002);
    pace.epoch_ended(Seconds(10), Pages(11), Seconds(0.5));
    EXPECT_DOUBLE_EQ(pace.planned().count(), 50);
    for (int i = 0; i < 3; ++i)
        pace.epoch_ended(Seconds(50), Pages(0), Seconds(0.5));
    EXPECT_DOUBLE_EQ(pace.planned().count(), 250);
}

TEST(AgeingPace, SettlesWhenOldUsesEndOrAtItsLongest) {
    AgeingPace quiet(0.002, 0.002);
    quiet.epoch_ended(Seconds(10), Pages(11), free_of_cost);
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(quiet.settled()) << i;
        quiet.epoch_ended(Seconds(10), Pages(0), free_of_cost);
    }
    EXPECT_TRUE(quiet.settled());
    quiet.epoch_ended(Seconds(10), Pages(11), free_of_cost);
    EXPECT_TRUE(quiet.settled()) << "once and for all";
    AgeingPace busy(0.002, 0.002);
    for (int i = 0; i < 5; ++i) {
        EXPECT_FALSE(busy.settled()) << i;
        busy.epoch_ended(Seconds(10), Pages(11), free_of_cost);
    }
    EXPECT_TRUE(busy.settled());
}

TEST(AgeingPace, HalvesDownToItsShortest) {
    AgeingPace pace(0.002, 0.002);
    for (int i = 0; i < 5; ++i)
        pace.epoch_ended(Seconds(10), Pages(11), free_of_cost);
    for (const double planned : {300.0, 150.0, 75.0, 37.5, 18.75, 10.0, 10.0}) {
        EXPECT_EQ(pace.planned(), Seconds(planned));
        for (int i = 0; i < AgeingPace::min_patience; ++i)
            pace.epoch_ended(pace.planned(), Pages(0), free_of_cost);
    }
}

// A loop of 15 s: with epochs of 20 s no page grows old, with 10 s pages do in the second epoch, and in the longer one after it.
TEST(AgeingPace, AFailedAttemptEndsAfterTheNextLongEpoch) {
    AgeingPace pace(0.002, 0.002);
    pace.epoch_ended(Seconds(10), Pages(100), free_of_cost);
    EXPECT_FALSE(pace.attempts()) << "longer epochs make no page old";
    for (int i = 0; i < AgeingPace::min_patience; ++i)
        pace.epoch_ended(Seconds(20), Pages(0), free_of_cost);
    ASSERT_EQ(pace.planned(), Seconds(10));
    pace.epoch_ended(Seconds(10), Pages(0), free_of_cost);
    EXPECT_TRUE(pace.attempts());
    pace.epoch_ended(Seconds(10), Pages(100), free_of_cost);
    EXPECT_TRUE(pace.attempts());
    ASSERT_EQ(pace.planned(), Seconds(20));
    pace.epoch_ended(Seconds(20), Pages(100), free_of_cost);
    EXPECT_TRUE(pace.attempts());
    pace.epoch_ended(Seconds(20), Pages(0), free_of_cost);
    EXPECT_FALSE(pace.attempts());
}

TEST(AgeingPace, AnAttemptEndsWhenItSucceeds) {
    AgeingPace pace(0.002, 0.002);
    pace.epoch_ended(Seconds(10), Pages(100), free_of_cost);
    for (int i = 0; i < AgeingPace::min_patience; ++i)
        pace.epoch_ended(Seconds(20), Pages(0), free_of_cost);
    for (int i = 0; i < 4; ++i) {
        pace.epoch_ended(Seconds(10), Pages(0), free_of_cost);
        EXPECT_TRUE(pace.attempts()) << i;
    }
    pace.epoch_ended(Seconds(10), Pages(0), free_of_cost);
    EXPECT_FALSE(pace.attempts());
}

TEST(AgeingPace, AChangeMuchLaterIsNoMistake) {
    AgeingPace pace(0.002, 0.002);
    for (int round = 0; round < 3; ++round) {
        pace.epoch_ended(Seconds(10), Pages(11), free_of_cost);
        for (int i = 0; i < AgeingPace::min_patience; ++i)
            pace.epoch_ended(Seconds(20), Pages(0), free_of_cost);
        EXPECT_EQ(pace.planned(), Seconds(10)) << round;
        for (int i = 0; i < 4; ++i)
            pace.epoch_ended(Seconds(10), Pages(0), free_of_cost);
    }
}

TEST(AgeingPace, KeepsItsShareOfAProcessor) {
    AgeingPace pace(0.002, 0.002);
    pace.epoch_ended(Seconds(10), Pages(0), Seconds(0.1));
    EXPECT_DOUBLE_EQ(pace.planned().count(), 50);
    pace.epoch_ended(Seconds(50), Pages(0), Seconds(0.02));
    EXPECT_DOUBLE_EQ(pace.planned().count(), 40) << "smoothed";
    pace.epoch_ended(Seconds(40), Pages(0), Seconds(100));
    EXPECT_EQ(pace.planned(), Seconds(300)) << "the policy takes a longer epoch for an interrupted one";
}

}  // namespace
}  // namespace tmm::core
