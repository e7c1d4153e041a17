// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/generations/use_hazard.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tmm::core {
namespace {

// The same epoch, so often.
double exponent_after(int epochs, const UseHazard::Epoch& epoch) {
    UseHazard hazard;
    for (int i = 0; i < epochs; ++i)
        hazard.epoch_ended(epoch);
    return hazard.exponent();
}

TEST(UseHazard, IsThatOfWhimsBeforeThereIsEvidence) {
    EXPECT_EQ(UseHazard().exponent(), 1);
    EXPECT_EQ(exponent_after(5, {.recent = 100, .used_recent = 50}), 1) << "there are no old pages";
    EXPECT_EQ(exponent_after(5, {.recent = 100, .used_recent = 50, .old = 100, .used_old = 0, .log_age = 1}), 1)
        << "no old page was used";
}

TEST(UseHazard, FindsThePowerThatTheOddsFallBy) {
    for (const double exponent : {0.0, 0.3, 0.7, 1.0}) {
        const double log_age = 2;
        const UseHazard::Epoch epoch{.recent = 100,
                                     .used_recent = 50,
                                     .old = 1000,
                                     .used_old = 1000 * 0.5 * std::exp(-exponent * log_age),
                                     .log_age = log_age};
        EXPECT_NEAR(exponent_after(1, epoch), exponent, 1e-9);
        EXPECT_NEAR(exponent_after(100, epoch), exponent, 1e-9);
    }
}

TEST(UseHazard, StaysWithinWhatIsSeenOfPrograms) {
    EXPECT_EQ(exponent_after(1, {.recent = 100, .used_recent = 100, .old = 1000, .used_old = 1, .log_age = 0.5}), 1);
    EXPECT_EQ(exponent_after(1, {.recent = 100, .used_recent = 0, .old = 1000, .used_old = 50, .log_age = 2}), 0)
        << "a loop that takes longer than an epoch";
}

TEST(UseHazard, FollowsAChange) {
    UseHazard hazard;
    for (int i = 0; i < 50; ++i)
        hazard.epoch_ended({.recent = 100, .used_recent = 0, .old = 1000, .used_old = 50, .log_age = 2});
    for (int i = 0; i < 50; ++i)
        hazard.epoch_ended({.recent = 100, .used_recent = 90, .old = 1000, .used_old = 1, .log_age = 2});
    EXPECT_EQ(hazard.exponent(), 1);
}

}  // namespace
}  // namespace tmm::core
