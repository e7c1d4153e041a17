// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/stall_rule.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

TEST(StallRule, AllowsAShareOfTheActiveTime) {
    const StallRule rule{.beta = 1.05, .stall_floor = 0.001};
    EXPECT_NEAR(rule.allowed_stall(1), 0.05, 1e-12);
    EXPECT_NEAR(rule.allowed_stall(2), 0.1, 1e-12) << "two applications at once may wait twice as long";
}

TEST(StallRule, AFewMillisecondsAreNeverFelt) {
    const StallRule rule{.beta = 1.05, .stall_floor = 0.001};
    EXPECT_DOUBLE_EQ(rule.allowed_stall(0), 0.001);
    EXPECT_DOUBLE_EQ(rule.allowed_stall(0.01), 0.001);
}

}  // namespace
}  // namespace tmm::core
