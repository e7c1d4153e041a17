// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/clocks.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace tmm::core {
namespace {

template <typename Left, typename Right>
concept Mixable = requires(Left left, Right right) {
    left - right;
}
|| requires(Left left, Right right) {
    left < right;
}
|| requires(Left left, Right right) {
    left = right;
};

static_assert(Mixable<AwakeTime, AwakeTime> && Mixable<ElapsedTime, ElapsedTime>);
static_assert(!Mixable<AwakeTime, ElapsedTime> && !Mixable<ElapsedTime, AwakeTime>);
static_assert(!std::is_convertible_v<std::chrono::nanoseconds, AwakeTime>, "a span is no time of a clock");
static_assert(!std::is_convertible_v<std::chrono::nanoseconds, ElapsedTime>, "a span is no time of a clock");

TEST(Clocks, ADifferenceOfTimesIsASpan) {
    EXPECT_EQ(AwakeTime(std::chrono::seconds(3)) - AwakeTime(std::chrono::seconds(1)), std::chrono::seconds(2));
    EXPECT_EQ(ElapsedTime(std::chrono::seconds(3)) - ElapsedTime(), std::chrono::seconds(3));
}

}  // namespace
}  // namespace tmm::core
