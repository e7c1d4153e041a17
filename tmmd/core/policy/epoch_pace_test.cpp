// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/epoch_pace.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

EpochPace::Epoch busy_epoch(Seconds length, Pages footprint, Seconds cost = Seconds(0)) {
    return {.length = length, .footprint = footprint, .opaque_limit = Pages(10000), .busy = true, .cost = cost, .samples = 32768};
}

EpochPace::Epoch idle_epoch(Seconds length, Seconds cost = Seconds(0)) {
    return {.length = length, .opaque_limit = Pages(10000), .cost = cost, .samples = 32768};
}

TEST(EpochPace, AnEpochTouchesATenthOfTheLimit) {
    EpochPace pace({});
    pace.epoch_ended(busy_epoch(Seconds(2), Pages(500)));
    EXPECT_DOUBLE_EQ(pace.length().count(), 4);
    pace.epoch_ended(busy_epoch(Seconds(4), Pages(1600)));
    EXPECT_DOUBLE_EQ(pace.length().count(), 2.5);
    pace.epoch_ended(busy_epoch(Seconds(2.5), Pages(9000)));
    EXPECT_DOUBLE_EQ(pace.length().count(), 1) << "the shortest";
}

TEST(EpochPace, AnIdleMachineIsLookedAtLessAndLess) {
    EpochPace pace({});
    Seconds length(1);
    for (int epoch = 0; epoch < 10; ++epoch) {
        pace.epoch_ended(idle_epoch(length));
        EXPECT_LE(pace.length(), 2 * length);
        length = pace.length();
    }
    EXPECT_DOUBLE_EQ(length.count(), 300);
}

TEST(EpochPace, LookingKeepsToItsShareOfTheProcessor) {
    EpochPace pace({});
    auto learning = busy_epoch(Seconds(1), Pages(100), Seconds(0.018));
    learning.learning = true;
    pace.epoch_ended(learning);
    EXPECT_DOUBLE_EQ(pace.length().count(), 2) << "1 %, less a tenth as a reserve";
    pace.epoch_ended(busy_epoch(Seconds(2), Pages(2000), Seconds(0.018)));
    EXPECT_DOUBLE_EQ(pace.length().count(), 10) << "0.2 %, for any footprint";
    for (int epoch = 0; epoch < 10; ++epoch)
        pace.epoch_ended(idle_epoch(pace.length(), Seconds(0.018)));
    EXPECT_DOUBLE_EQ(pace.length().count(), 300);
}

TEST(EpochPace, DearScansMakeEpochsTwiceAsLongAsTheLongest) {
    EpochPace pace({});
    pace.epoch_ended(busy_epoch(Seconds(10), Pages(100), Seconds(0.0216)));
    EXPECT_DOUBLE_EQ(pace.length().count(), 12);
    pace = EpochPace({});
    pace.epoch_ended(busy_epoch(Seconds(10), Pages(100), Seconds(1)));
    EXPECT_DOUBLE_EQ(pace.length().count(), 20);
    pace = EpochPace({.max_idle = Seconds(240)});
    pace.epoch_ended(idle_epoch(Seconds(240), Seconds(0.045)));
    EXPECT_DOUBLE_EQ(pace.length().count(), 250);
    pace = EpochPace({.max_idle = Seconds(30)});
    pace.epoch_ended(idle_epoch(Seconds(30), Seconds(1)));
    EXPECT_DOUBLE_EQ(pace.length().count(), 60);
    pace = EpochPace({});
    pace.epoch_ended(idle_epoch(Seconds(300), Seconds(1)));
    EXPECT_DOUBLE_EQ(pace.length().count(), 300) << "the policy would take a longer epoch for an interrupted one";
}

TEST(EpochPace, WhatLooksCostIsTakenOffWhatScansMay) {
    EpochPace pace({.max_idle = Seconds(120)});
    auto epoch = idle_epoch(Seconds(100), Seconds(0.0135));
    epoch.poll_cost = Seconds(0.006);
    for (int i = 0; i < 100; ++i)
        pace.epoch_ended(epoch);
    EXPECT_NEAR(pace.length().count(), 120, 1e-6) << "0.018 % less 0.006 %: 112 s would do";
    epoch.poll_cost = Seconds(0.009);
    for (int i = 0; i < 100; ++i)
        pace.epoch_ended(epoch);
    EXPECT_NEAR(pace.length().count(), 150, 1e-6);
    epoch.poll_cost = Seconds(1);
    for (int i = 0; i < 100; ++i)
        pace.epoch_ended(epoch);
    EXPECT_NEAR(pace.length().count(), 150, 1e-6) << "half is for scans, however much polls cost";
}

TEST(EpochPace, ActivityEndsAnIdleEpoch) {
    EpochPace pace({});
    pace.epoch_ended(idle_epoch(Seconds(60)));
    EXPECT_FALSE(pace.due(Seconds(10), 0.01));
    EXPECT_FALSE(pace.woken());
    EXPECT_TRUE(pace.due(Seconds(11), 0.5));
    EXPECT_TRUE(pace.woken());
    pace.epoch_ended(idle_epoch(Seconds(60)));
    EXPECT_FALSE(pace.woken());
    EXPECT_TRUE(pace.due(Seconds(120), 0));
    EXPECT_FALSE(pace.woken()) << "the epoch was over anyway";
}

TEST(EpochPace, ActivityDoesNotEndABusyEpoch) {
    EpochPace pace({});
    pace.epoch_ended(busy_epoch(Seconds(5), Pages(500)));
    EXPECT_FALSE(pace.due(Seconds(5), 1));
}

TEST(EpochPace, FalseAlarmsAreNotHeardAgain) {
    EpochPace pace({});
    pace.epoch_ended(idle_epoch(Seconds(60)));
    ASSERT_TRUE(pace.due(Seconds(2), 0.2));
    pace.epoch_ended(idle_epoch(Seconds(2)));  // it was a background job, touching next to nothing
    EXPECT_FALSE(pace.due(Seconds(2), 0.2));
    EXPECT_TRUE(pace.due(Seconds(2), 0.5)) << "activity above the threshold ends the epoch";
    for (int epoch = 0; epoch < 100; ++epoch)
        pace.epoch_ended(idle_epoch(Seconds(60)));
    EXPECT_TRUE(pace.due(Seconds(2), 0.06)) << "later the threshold is back at its start";
}

TEST(EpochPace, FewerSamplesWhenEpochsHadToBecomeTooLong) {
    EpochPace pace({.rate_period = Seconds(1)});
    pace.epoch_ended(busy_epoch(Seconds(2), Pages(1000), Seconds(0.02)));
    EXPECT_EQ(pace.take_rate_change(), 1);
    EXPECT_EQ(pace.take_rate_change(), 0) << "one change in a period";
    auto few = busy_epoch(Seconds(2), Pages(1000), Seconds(0.02));
    few.samples = EpochPace::min_samples;
    pace.epoch_ended(few);
    EXPECT_EQ(pace.take_rate_change(), 0) << "an estimate needs at least min_samples";
}

TEST(EpochPace, FewerSamplesWhenTheLongestEpochsAreStillTooDear) {
    EpochPace pace({.rate_period = Seconds(1)});
    pace.epoch_ended(busy_epoch(Seconds(10), Pages(100), Seconds(0.035)));
    EXPECT_EQ(pace.take_rate_change(), 0) << "19 s";
    pace = EpochPace({.rate_period = Seconds(1)});
    pace.epoch_ended(busy_epoch(Seconds(10), Pages(100), Seconds(0.037)));
    EXPECT_EQ(pace.take_rate_change(), 1) << "21 s, of which the longest allows 20";
    pace = EpochPace({.rate_period = Seconds(1)});
    pace.epoch_ended(idle_epoch(Seconds(120), Seconds(1)));
    EXPECT_EQ(pace.take_rate_change(), 0) << "positions are kept for the owner's return";
}

TEST(EpochPace, MoreSamplesWhenTheyCostNothing) {
    EpochPace pace({.rate_period = Seconds(1)});
    pace.epoch_ended(busy_epoch(Seconds(4), Pages(1000), Seconds(0.0001)));
    EXPECT_EQ(pace.take_rate_change(), -1);
    auto many = busy_epoch(Seconds(4), Pages(1000), Seconds(0.0001));
    many.samples = EpochPace::max_samples;
    pace.epoch_ended(many);
    EXPECT_EQ(pace.take_rate_change(), 0);
}

}  // namespace
}  // namespace tmm::core
