// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/holds/swap_room.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace tmm::core {
namespace {

// It compresses well.
SwapInMemory taking(int pages) {
    return {.taken = Pages(static_cast<std::uint64_t>(pages)), .stored = Pages(static_cast<std::uint64_t>(2 * pages))};
}

TEST(SwapRoom, StandStillWhenSwappedPagesTakeWhatTheOwnerNeeds) {
    SwapRoom room;
    EXPECT_FALSE(room.step({.total = Pages(10'000)}, Pages(6'000), taking(0)));
    EXPECT_FALSE(room.step({.total = Pages(6'001)}, Pages(6'000), taking(3'999)));
    EXPECT_TRUE(room.step({.total = Pages(6'000)}, Pages(6'000), taking(4'000)));
}

TEST(SwapRoom, GoOnWhenThereIsRoomAgain) {
    SwapRoom room;
    ASSERT_TRUE(room.step({.total = Pages(6'000)}, Pages(6'000), taking(4'000)));
    EXPECT_TRUE(room.step({.total = Pages(6'100)}, Pages(6'000), taking(3'900))) << "not at once";
    EXPECT_FALSE(room.step({.total = Pages(6'200)}, Pages(6'000), taking(3'800)));
    EXPECT_FALSE(room.step({.total = Pages(6'100)}, Pages(6'000), taking(3'900)));
    ASSERT_TRUE(room.step({.total = Pages(6'000)}, Pages(6'000), taking(4'000)));
    EXPECT_FALSE(room.step({.total = Pages(6'000)}, Pages(5'000), taking(4'000))) << "the owner needs less";
}

// A tenth of memory is not protected: of 7,000 pages 6,300 are, so little more than 6,000.
TEST(SwapRoom, StandStillBeforeThatIfContributionsSwapIsToBlame) {
    const auto swap = [](int contributed) {
        return SwapInMemory{
            .taken = Pages(4'000), .stored = Pages(8'000), .contributed = Pages(static_cast<std::uint64_t>(contributed))};
    };
    const auto stand_still = [&](int total, int contributed) {
        SwapRoom room;
        return room.step({.total = Pages(static_cast<std::uint64_t>(total))}, Pages(6'000), swap(contributed));
    };
    EXPECT_FALSE(stand_still(6'980, 6'000)) << "280 pages may stay free then";
    EXPECT_TRUE(stand_still(6'970, 6'000));
    EXPECT_FALSE(stand_still(6'101, 200)) << "their 200 pages take the room of 100";
    EXPECT_TRUE(stand_still(6'100, 200));
    EXPECT_FALSE(stand_still(6'001, 0)) << "all that is swapped is the owner's";
}

TEST(SwapRoom, PagesOfContributionsOnADiskTakeNoMemory) {
    const SwapInMemory zswap{.taken = Pages(200), .stored = Pages(400), .contributed = Pages(9'000), .is_all = false};
    SwapRoom room;
    EXPECT_FALSE(room.step({.total = Pages(6'201)}, Pages(6'000), zswap));
    EXPECT_TRUE(room.step({.total = Pages(6'200)}, Pages(6'000), zswap));
}

TEST(SwapRoom, StandStillWhenFreeMemoryIsAllThatIsLeftAndLittle) {
    const auto with_free = [](int pages) {
        return MemoryUsage{
            .total = Pages(10'000), .opaque = Pages(static_cast<std::uint64_t>(10'000 - pages)), .transparent = Pages(0)};
    };
    const SwapInMemory futile{.taken = Pages(900), .stored = Pages(1'000)};
    SwapRoom room;
    EXPECT_FALSE(room.step(with_free(200), Pages(6'000), futile));
    EXPECT_TRUE(room.step(with_free(199), Pages(6'000), futile)) << "the kernel's watermarks are near";
    EXPECT_TRUE(room.step(with_free(399), Pages(6'000), futile)) << "not at once";
    EXPECT_FALSE(room.step(with_free(400), Pages(6'000), futile));
    EXPECT_FALSE(room.step(with_free(0), Pages(6'000), {.taken = Pages(700), .stored = Pages(1'000)})) << "evicting helps";
    EXPECT_FALSE(room.step(with_free(0), Pages(0), futile)) << "no contribution, or nothing is known";
}

TEST(SwapRoom, IsNotAboutSwapOnDisks) {
    SwapRoom room;
    EXPECT_FALSE(room.step({.total = Pages(6'000)}, Pages(7'000), taking(0)));
}

TEST(SwapRoom, NothingIsKnownBeforeThePolicyHasLearned) {
    SwapRoom room;
    EXPECT_FALSE(room.step({.total = Pages(6'000)}, Pages(0), taking(4'000)));
    EXPECT_FALSE(room.step({.total = Pages(0)}, Pages(0), taking(4'000)));
}

// 10,000 pages, of which 500 are free and 2,000 are contributions'.
Pages most(int taken, int stored, int files) {
    const MemoryUsage usage{.total = Pages(10'000), .opaque = Pages(7'500), .transparent = Pages(2'000)};
    return SwapRoom::most(
        usage, Pages(5'800), Pages(static_cast<std::uint64_t>(files)),
        {.taken = Pages(static_cast<std::uint64_t>(taken)), .stored = Pages(static_cast<std::uint64_t>(stored))});
}

TEST(SwapRoom, EvictingWhatDoesNotCompressFreesNothing) {
    EXPECT_EQ(most(1'000, 1'000, 0), Pages(2'100)) << "and 400 stay free";
    EXPECT_EQ(most(1'100, 1'000, 0), Pages(2'100)) << "gaps between compressed pages";
    EXPECT_EQ(most(400, 1'000, 0), Pages(2'100 + 1'020)) << "60 % of the owner's excess";
    EXPECT_EQ(most(0, 0, 0), Pages(10'000)) << "no swap in memory";
}

TEST(SwapRoom, FilesAreEvictedInFull) {
    EXPECT_EQ(most(500, 1'000, 500), Pages(2'100 + 500 + 600));
    EXPECT_EQ(most(500, 1'000, 5'000), Pages(2'100 + 1'700)) << "the excess, and no file in use";
    EXPECT_EQ(most(1'000, 1'000, 500), Pages(2'100)) << "all is protected where evicting is futile";
}

TEST(SwapRoom, AFewSwappedPagesTellNothing) {
    EXPECT_EQ(most(199, 199, 0), Pages(10'000));
    EXPECT_EQ(most(200, 200, 0), Pages(2'100));
}

// 10,000 pages, of which 2,000 are contributions'.
std::optional<Pages> growth(int limit, int taken, int stored, int free = 1'400) {
    const MemoryUsage usage{
        .total = Pages(10'000), .opaque = Pages(static_cast<std::uint64_t>(8'000 - free)), .transparent = Pages(2'000)};
    return SwapRoom::growth(
        usage, Pages(static_cast<std::uint64_t>(limit)),
        {.taken = Pages(static_cast<std::uint64_t>(taken)), .stored = Pages(static_cast<std::uint64_t>(stored))});
}

TEST(SwapRoom, SwapThatCompressesGrowsByHalfOfWhatIsGiven) {
    EXPECT_EQ(growth(6'000, 500, 1'000), Pages(3'000));
    EXPECT_EQ(growth(6'000, 100, 1'000), Pages(3'000));
    EXPECT_EQ(growth(100, 500, 1'000), Pages(2'000)) << "all that they have can leave, as the owner wants it";
}

TEST(SwapRoom, SwapThatDoesNotCompressTakesFreeMemoryOnly) {
    EXPECT_EQ(growth(3'000, 1'000, 1'000), Pages(1'000)) << "400 stay free";
    EXPECT_EQ(growth(3'000, 625, 1'000), Pages(1'600));
    EXPECT_EQ(growth(3'000, 625, 1'000, 400), Pages(1'000)) << "half of what they have can leave all the same";
    EXPECT_EQ(growth(0, 1'000, 1'000), Pages(1'000)) << "what is to leave gains nothing by it";
}

TEST(SwapRoom, AtFirstItGrowsByEnoughToTell) {
    EXPECT_EQ(growth(3'000, 0, 0), Pages(400));
    EXPECT_EQ(growth(3'000, 199, 199), Pages(400));
    EXPECT_EQ(SwapRoom::first_growth(Pages(10'000)), Pages(400));
}

TEST(SwapRoom, WhatIsToLeaveMayDoSo) {
    EXPECT_EQ(growth(0, 0, 0), std::nullopt);
    EXPECT_EQ(growth(0, 400, 1'000), std::nullopt);
}

// As with zswap, or a disk beside zram: what does not compress goes there.
TEST(SwapRoom, WithADiskBesideItEvictingFreesMemory) {
    const SwapInMemory poor{.taken = Pages(1'000), .stored = Pages(1'000), .is_all = false};
    const MemoryUsage usage{.total = Pages(10'000), .opaque = Pages(8'000), .transparent = Pages(2'000)};
    EXPECT_FALSE(SwapRoom::is_futile(usage.total, poor));
    EXPECT_EQ(SwapRoom::growth(usage, Pages(3'000), poor), Pages(2'000)) << "all that they have can leave";
    SwapRoom room;
    EXPECT_FALSE(room.step(usage, Pages(6'000), poor));
    EXPECT_TRUE(room.step({.total = Pages(5'000)}, Pages(6'000), poor)) << "it takes what the owner needs all the same";
    EXPECT_EQ(SwapRoom::most(usage, Pages(6'000), Pages(0), poor), Pages(10'000)) << "the policy's limit decides";
}

}  // namespace
}  // namespace tmm::core
