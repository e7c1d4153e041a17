// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/swap_room.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

TEST(SwapRoom, StandStillWhenSwappedPagesTakeWhatTheOwnerNeeds) {
    SwapRoom room;
    EXPECT_FALSE(room.step(Pages(10'000), Pages(6'000), Pages(0)));
    EXPECT_FALSE(room.step(Pages(6'001), Pages(6'000), Pages(3'999)));
    EXPECT_TRUE(room.step(Pages(6'000), Pages(6'000), Pages(4'000)));
}

TEST(SwapRoom, GoOnWhenThereIsRoomAgain) {
    SwapRoom room;
    ASSERT_TRUE(room.step(Pages(6'000), Pages(6'000), Pages(4'000)));
    EXPECT_TRUE(room.step(Pages(6'100), Pages(6'000), Pages(3'900))) << "not at once";
    EXPECT_FALSE(room.step(Pages(6'200), Pages(6'000), Pages(3'800)));
    EXPECT_FALSE(room.step(Pages(6'100), Pages(6'000), Pages(3'900)));
    ASSERT_TRUE(room.step(Pages(6'000), Pages(6'000), Pages(4'000)));
    EXPECT_FALSE(room.step(Pages(6'000), Pages(5'000), Pages(4'000))) << "the owner needs less";
}

TEST(SwapRoom, IsNotAboutSwapOnDisks) {
    SwapRoom room;
    EXPECT_FALSE(room.step(Pages(6'000), Pages(7'000), Pages(0)));
}

TEST(SwapRoom, NothingIsKnownBeforeThePolicyHasLearned) {
    SwapRoom room;
    EXPECT_FALSE(room.step(Pages(6'000), Pages(0), Pages(4'000)));
    EXPECT_FALSE(room.step(Pages(0), Pages(0), Pages(4'000)));
}

}  // namespace
}  // namespace tmm::core
