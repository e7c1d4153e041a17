// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/tasks/holding.hpp"

#include <gtest/gtest.h>

#include "boinc-adapter/policy/tasks/test_sizes.hpp"

namespace tmm::boinc {
namespace {

using Seconds = std::chrono::duration<double>;

// A task of 1 GiB, which takes some 21 s to be swapped out and in again.
HoldingFacts saved_a_moment_ago() {
    HoldingFacts facts;
    facts.can_end = facts.ends_by_itself = facts.has_checkpoint = facts.is_wanted = true;
    facts.unsaved = Seconds(2);
    facts.resident_bytes = gib;
    facts.swap_free_bytes = 8 * gib;
    return facts;
}

Holding with(void (*change)(HoldingFacts&)) {
    HoldingFacts facts = saved_a_moment_ago();
    change(facts);
    return choose_holding(facts);
}

TEST(Holding, EndsWhatHasJustSavedAndIsDearToSwap) {
    EXPECT_EQ(choose_holding(saved_a_moment_ago()), Holding::end);
}

TEST(Holding, KeepsWhatWouldLoseMoreWorkThanSwapTakesTime) {
    EXPECT_EQ(with([](HoldingFacts& facts) { facts.unsaved = Seconds(16); }), Holding::end);
    EXPECT_EQ(with([](HoldingFacts& facts) { facts.unsaved = Seconds(17); }), Holding::keep);
    EXPECT_EQ(with([](HoldingFacts& facts) { facts.resident_bytes = 300 * mib; }), Holding::keep);
    EXPECT_EQ(with([](HoldingFacts& facts) { facts.resident_bytes = 400 * mib; }), Holding::end);
    EXPECT_EQ(with([](HoldingFacts& facts) { facts.resident_bytes = 0; }), Holding::keep) << "it is swapped out";
}

TEST(Holding, EndsWhatSwapHasNoRoomForButNeverFarFromItsCheckpoint) {
    const auto full = [](HoldingFacts& facts) {
        facts.swap_free_bytes = 100 * mib;
        facts.resident_bytes = 200 * mib;
    };
    EXPECT_EQ(with(full), Holding::end);
    HoldingFacts facts = saved_a_moment_ago();
    full(facts);
    facts.unsaved = max_loss;
    EXPECT_EQ(choose_holding(facts), Holding::end);
    facts.unsaved += Seconds(1);
    EXPECT_EQ(choose_holding(facts), Holding::keep);
    facts.is_for_long = true;
    EXPECT_EQ(choose_holding(facts), Holding::keep);
}

TEST(Holding, ForLongSwapIsNotFilled) {
    HoldingFacts facts = saved_a_moment_ago();
    facts.resident_bytes = 100 * mib;
    facts.unsaved = max_loss;
    EXPECT_EQ(choose_holding(facts), Holding::keep);
    facts.is_for_long = true;
    EXPECT_EQ(choose_holding(facts), Holding::end);
    facts.swap_free_bytes.reset();
    EXPECT_EQ(choose_holding(facts), Holding::end);
}

TEST(Holding, KeepsWhatCannotEndOrNeedNot) {
    EXPECT_EQ(with([](HoldingFacts& facts) { facts.can_end = false; }), Holding::keep);
    EXPECT_EQ(with([](HoldingFacts& facts) { facts.ends_by_itself = false; }), Holding::keep) << "its user keeps tasks in memory";
    EXPECT_EQ(with([](HoldingFacts& facts) { facts.has_checkpoint = false; }), Holding::keep) << "it would begin at zero";
    EXPECT_EQ(with([](HoldingFacts& facts) { facts.is_wanted = false; }), Holding::keep);
    EXPECT_EQ(with([](HoldingFacts& facts) { facts.swap_free_bytes.reset(); }), Holding::keep);
}

}  // namespace
}  // namespace tmm::boinc
