// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/swap_room.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

TEST(SwapRoom, StandStillWhenSwappedPagesTakeWhatTheOwnerNeeds) {
    SwapRoom room;
    EXPECT_FALSE(room.step(10'000, 6'000, 0));
    EXPECT_FALSE(room.step(6'001, 6'000, 3'999));
    EXPECT_TRUE(room.step(6'000, 6'000, 4'000));
}

TEST(SwapRoom, GoOnWhenThereIsRoomAgain) {
    SwapRoom room;
    ASSERT_TRUE(room.step(6'000, 6'000, 4'000));
    EXPECT_TRUE(room.step(6'100, 6'000, 3'900)) << "not at once";
    EXPECT_FALSE(room.step(6'200, 6'000, 3'800));
    EXPECT_FALSE(room.step(6'100, 6'000, 3'900));
    ASSERT_TRUE(room.step(6'000, 6'000, 4'000));
    EXPECT_FALSE(room.step(6'000, 5'000, 4'000)) << "the owner needs less";
}

TEST(SwapRoom, IsNotAboutSwapOnDisks) {
    SwapRoom room;
    EXPECT_FALSE(room.step(6'000, 7'000, 0));
}

TEST(SwapRoom, NothingIsKnownBeforeThePolicyHasLearned) {
    SwapRoom room;
    EXPECT_FALSE(room.step(6'000, 0, 4'000));
    EXPECT_FALSE(room.step(0, 0, 4'000));
}

}  // namespace
}  // namespace tmm::core
