// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/return_burst.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

constexpr Pages total(1000);
constexpr ByBacking latency{0.001, 0.01};

class Owner {
public:
    void idle(int seconds) {
        for (int second = 0; second < seconds; ++second)
            burst.end_epoch(BackedHistogram(Pages(10), 200), Seconds(1), false, Seconds(0));
    }
    // A second with accesses so deep.
    void work(double depth, double anonymous, double file = 0) {
        BackedHistogram epoch(Pages(10), 200);
        epoch.add(depth, depth, {anonymous, file});
        burst.end_epoch(epoch, Seconds(1), true, Seconds(0));
    }

    ReturnBurst burst{{}, Pages(10), 200};
};

TEST(ReturnBurst, WorkWithoutABreakIsNoReturn) {
    Owner owner;
    for (int second = 0; second < 600; ++second)
        owner.work(500, 1000);
    owner.idle(60);  // a pause for thought
    owner.work(500, 1000);
    owner.idle(120);
    EXPECT_EQ(owner.burst.returns(), 0U);
    EXPECT_EQ(owner.burst.opaque_need({}, latency, total), Pages(0));
}

TEST(ReturnBurst, ABreakMayBeShorterThanAnEpoch) {
    BackedHistogram epoch(Pages(10), 200);
    epoch.add(300, 300, {50, 0});
    for (const double idle_before : {109.0, 110.0}) {
        Owner owner;
        owner.idle(10);
        owner.burst.end_epoch(epoch, Seconds(200), true, Seconds(idle_before));
        EXPECT_EQ(owner.burst.under_way(), idle_before == 110) << "idle for two minutes in all";
    }
    Owner owner;
    owner.burst.end_epoch(epoch, Seconds(200), true, Seconds(0));
    EXPECT_FALSE(owner.burst.under_way()) << "long, but nobody was away";
}

TEST(ReturnBurst, TakesTheFirstInteractionAndTheFirstMinute) {
    Owner owner;
    owner.idle(300);
    owner.work(300, 50);
    owner.work(300, 50);
    owner.work(300, 50);  // two seconds after the return's second: the first interaction is over
    owner.work(700, 500);
    for (int second = 0; second < 60; ++second)
        owner.work(50, 10);
    EXPECT_EQ(owner.burst.returns(), 1U);
    EXPECT_DOUBLE_EQ(owner.burst.accesses(ReturnBurst::first_interaction).misses(Pages(200)), 150);
    EXPECT_DOUBLE_EQ(owner.burst.accesses(ReturnBurst::first_minute).misses(Pages(200)), 650);
}

TEST(ReturnBurst, NeedIsWhatKeepsBothGoals) {
    Owner owner;
    owner.idle(300);
    owner.work(300, 90);  // 90 ms in the first interaction: allowed
    for (int second = 0; second < 5; ++second)
        owner.work(600, 300);  // 1.5 s later in the minute: too much, but the first interaction has 0.6 s of it
    owner.idle(60);
    const ReturnGoal patient{.first_stall = Seconds(10), .whole_stall = Seconds(1)};
    EXPECT_EQ(owner.burst.opaque_need(patient, latency, total), Pages(610));
    const ReturnGoal more_patient{.first_stall = Seconds(10), .whole_stall = Seconds(2)};
    EXPECT_EQ(owner.burst.opaque_need(more_patient, latency, total), Pages(0));
    const ReturnGoal hurried{.first_stall = Seconds(0.1), .whole_stall = Seconds(100)};
    EXPECT_EQ(owner.burst.opaque_need(hurried, latency, total), Pages(610));
}

TEST(ReturnBurst, WhatNoMemoryCouldSpareIsNotAsked) {
    Owner owner;
    owner.idle(300);
    for (int second = 0; second < 60; ++second)
        owner.work(1500, 1000);  // deeper than all of memory
    EXPECT_EQ(owner.burst.opaque_need({}, latency, total), Pages(0));
}

TEST(ReturnBurst, LaterReturnsCountByTheirWeight) {
    Owner owner;
    for (const double accesses : {100.0, 300.0, 100.0, 100.0, 500.0}) {
        owner.idle(300);
        owner.work(300, accesses);
        owner.idle(60);
    }
    // Means of the first four: 100, 200, 166.7, 150; then a quarter of 500.
    EXPECT_NEAR(owner.burst.accesses(ReturnBurst::first_minute).accesses(), 0.75 * 150 + 0.25 * 500, 1e-9);
}

}  // namespace
}  // namespace tmm::core
