// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cached/service/expiry.hpp"

#include <gtest/gtest.h>

namespace tmm::caches {
namespace {

constexpr ServerTime time_at_start{.now = 2, .started = 1'700'000'000};

TEST(Expiry, IsRelativeUpToThirtyDays) {
    EXPECT_EQ(expiry_from(0, time_at_start), 0U);
    EXPECT_EQ(expiry_from(1, time_at_start), 3U);
    EXPECT_EQ(expiry_from(max_relative_expiry, time_at_start), 2'592'002U);
}

TEST(Expiry, IsAbsoluteBeyond) {
    EXPECT_EQ(expiry_from(max_relative_expiry + 1, time_at_start), already_expired);
    EXPECT_EQ(expiry_from(time_at_start.started, time_at_start), already_expired);
    EXPECT_EQ(expiry_from(time_at_start.started + 60, time_at_start), 60U);
}

TEST(Expiry, BeyondTheClockIsAsLateAsPossible) {
    EXPECT_EQ(expiry_from(time_at_start.started + UINT32_MAX, time_at_start), UINT32_MAX);
    EXPECT_EQ(expiry_from(time_at_start.started + UINT32_MAX + 1, time_at_start), UINT32_MAX);
    EXPECT_EQ(expiry_from(INT64_MAX, time_at_start), UINT32_MAX);
}

TEST(Expiry, IsSentAsAnyNumberOfSecondsFromNow) {
    for (const std::int64_t seconds :
         {std::int64_t{1}, max_relative_expiry, max_relative_expiry + 1, std::int64_t{4'000'000'000}})
        EXPECT_EQ(expiry_from(expiry_after(seconds, time_at_start), time_at_start), seconds + time_at_start.now);
    EXPECT_EQ(expiry_from(expiry_after(INT64_MAX, time_at_start), time_at_start), UINT32_MAX);
}

TEST(Expiry, HasPassedIfNegative) {
    EXPECT_EQ(expiry_from(-1, time_at_start), already_expired);
    EXPECT_EQ(expiry_from(INT64_MIN, time_at_start), already_expired);
    EXPECT_LE(already_expired, time_at_start.now);
}

}  // namespace
}  // namespace tmm::caches
