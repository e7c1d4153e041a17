// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "static_limits.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tmm::desk {
namespace {

constexpr std::uint64_t mb = 1 << 20;

TEST(StaticLimits, TheShareIsOneOfInstalledMemory) {
    const auto limits = static_limits(25, 500 * mb, 460 * mb);
    EXPECT_EQ(limits.opaque_bytes, 125 * mb);
    EXPECT_EQ(limits.transparent_bytes, 335 * mb);
}

TEST(StaticLimits, NeverMoreThanThereIs) {
    const auto limits = static_limits(95, 500 * mb, 460 * mb);
    EXPECT_EQ(limits.opaque_bytes, 460 * mb);
    EXPECT_EQ(limits.transparent_bytes, 0U);
}

TEST(StaticLimits, ARowHasAsManyColumnsAsTheHeader) {
    const std::string row = static_timeline_row(1.5, 50, {2 * mb, 3 * mb}, {5 * mb, mb, mb / 2});
    EXPECT_TRUE(row.starts_with("1.500,2.00,3.00,1.00,0.50,5.00,static,\"50 % of memory")) << row;
    const std::string header = static_timeline_header();
    EXPECT_EQ(std::count(row.begin(), row.end(), ','), std::count(header.begin(), header.end(), ',') + 1) << "one in the reason";
}

}  // namespace
}  // namespace tmm::desk
