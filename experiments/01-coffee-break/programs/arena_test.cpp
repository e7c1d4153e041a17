// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "arena.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace tmm::coffee {
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
}  // namespace tmm::coffee
