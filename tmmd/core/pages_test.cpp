// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/pages.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace tmm::core {
namespace {

static_assert(!std::is_convertible_v<Pages, Bytes> && !std::is_constructible_v<Pages, Bytes>);

TEST(Pages, BecomeBytesAndBack) {
    EXPECT_EQ(to_bytes(Pages(3), Bytes(4096)), Bytes(12'288));
    EXPECT_EQ(to_pages(Bytes(12'288), Bytes(4096)), Pages(3));
}

TEST(Pages, AreWhole) {
    EXPECT_EQ(to_pages(Bytes(12'287), Bytes(4096)), Pages(2));
    EXPECT_EQ(to_pages(Bytes(65'535), Bytes(65'536)), Pages(0));
}

TEST(Pages, HaveParts) {
    EXPECT_EQ(part_of(Pages(1000), 0.0505), Pages(51)) << "rounded";
    EXPECT_EQ(part_of(Pages(1000), 0), Pages(0));
    EXPECT_EQ(part_of(Pages(std::uint64_t{1} << 50), 1e10), Pages(std::uint64_t{1} << 62)) << "the most";
}

}  // namespace
}  // namespace tmm::core
