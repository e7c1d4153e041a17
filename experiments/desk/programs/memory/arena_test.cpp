// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "arena.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace tmm::desk {
namespace {

TEST(Arena, ContentsDoNotRepeatAndAreSpreadOverAllBytes) {
    const auto arena = Arena::create(64, 1);
    ASSERT_TRUE(arena) << arena.error().message();
    std::array<int, 256> counts{};
    for (const std::byte byte : arena->bytes())
        ++counts[static_cast<std::size_t>(byte)];
    const double expected = 64.0 * page_bytes / 256;
    for (const int count : counts)
        EXPECT_NEAR(count, expected, expected * 0.2);
}

TEST(Arena, AThirdOfEachPageIsRandomAndTheRestZero) {
    auto arena = Arena::create(64, 1, 3);
    ASSERT_TRUE(arena) << arena.error().message();
    std::vector<PageIndex> all(64);
    std::iota(all.begin(), all.end(), PageIndex{0});
    arena->touch(all, 1);                       // What a contribution writes must not change it.
    constexpr std::size_t random_bytes = 1360;  // 170 of 512 words
    for (const PageIndex page : all) {
        const auto bytes = arena->bytes().subspan(page * page_bytes, page_bytes);
        EXPECT_LT(std::ranges::count(bytes.first(random_bytes), std::byte{0}), 40) << "page " << page;
        EXPECT_EQ(std::ranges::count(bytes.subspan(random_bytes), std::byte{0}), page_bytes - random_bytes) << "page " << page;
    }
}

TEST(Arena, PagesThatCompressDiffer) {
    const auto arena = Arena::create(2, 1, max_compressible);
    ASSERT_TRUE(arena);
    EXPECT_FALSE(std::ranges::equal(arena->bytes().first(page_bytes), arena->bytes().subspan(page_bytes)));
}

TEST(Arena, WritesToEveryNthPageOfABatchOnly) {
    auto arena = Arena::create(6, 2);
    ASSERT_TRUE(arena);
    const std::vector<std::byte> before(arena->bytes().begin(), arena->bytes().end());
    arena->touch(std::vector<PageIndex>{0, 1, 2, 3, 4, 5}, 3);
    std::vector<PageIndex> changed;
    for (PageIndex page = 0; page < 6; ++page) {
        const auto old_page = std::span(before).subspan(page * page_bytes, page_bytes);
        if (!std::ranges::equal(old_page, arena->bytes().subspan(page * page_bytes, page_bytes)))
            changed.push_back(page);
    }
    EXPECT_EQ(changed, (std::vector<PageIndex>{2, 5}));
}

TEST(Arena, ReadsOnlyWhenAskedTo) {
    auto arena = Arena::create(2, 3);
    ASSERT_TRUE(arena);
    const std::vector<PageIndex> both{0, 1};
    EXPECT_EQ(arena->touch(both, 0), arena->touch(both, 0));
    EXPECT_NE(arena->touch(both, 0), arena->touch(std::vector<PageIndex>{0}, 0));
}

TEST(Arena, WhatTheKernelRefusesIsAnError) {
    const auto arena = Arena::create(0, 1);  // mmap(2) refuses a size of 0.
    ASSERT_FALSE(arena);
    EXPECT_NE(arena.error().message().find("cannot allocate 0 MB"), std::string::npos) << arena.error().message();
}

}  // namespace
}  // namespace tmm::desk
