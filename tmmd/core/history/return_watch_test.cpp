// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/history/return_watch.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

TEST(ReturnWatch, AReturnFollowsABreakAndLastsAMinute) {
    ReturnWatch watch;
    watch.pass(Seconds(600), true);
    EXPECT_FALSE(watch.under_way()) << "nobody was away";
    watch.pass(Seconds(60), false);
    watch.pass(Seconds(60), false);
    EXPECT_FALSE(watch.under_way());
    watch.pass(Seconds(1), true);
    EXPECT_TRUE(watch.under_way());
    EXPECT_TRUE(watch.take_begun());
    EXPECT_FALSE(watch.take_begun()) << "once";
    watch.pass(Seconds(59), true);
    EXPECT_TRUE(watch.under_way());
    watch.pass(Seconds(1), true);
    EXPECT_FALSE(watch.under_way());
    EXPECT_FALSE(watch.take_begun());
}

TEST(ReturnWatch, AShortAbsenceIsNoBreak) {
    ReturnWatch watch;
    for (int i = 0; i < 10; ++i) {
        watch.pass(Seconds(119), false);
        watch.pass(Seconds(1), true);
    }
    EXPECT_FALSE(watch.under_way());
}

TEST(ReturnWatch, AMinuteGoesOnThoughTheOwnerLeaves) {
    ReturnWatch watch;
    watch.pass(Seconds(120), false);
    watch.pass(Seconds(1), true);
    watch.pass(Seconds(30), false);
    EXPECT_TRUE(watch.under_way());
    watch.pass(Seconds(30), false);
    EXPECT_FALSE(watch.under_way());
}

}  // namespace
}  // namespace tmm::core
