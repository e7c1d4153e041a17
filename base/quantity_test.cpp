// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/quantity.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace tmm {
namespace {

using Apples = Quantity<struct ApplesTag>;
using Pears = Quantity<struct PearsTag>;

template <typename Left, typename Right>
concept Mixable = requires(Left left, Right right) {
    left + right;
}
|| requires(Left left, Right right) {
    left - right;
}
|| requires(Left left, Right right) {
    left < right;
}
|| requires(Left left, Right right) {
    left == right;
}
|| requires(Left left, Right right) {
    left = right;
};
template <typename Left, typename Right>
concept Scalable = requires(Left left, Right right) {
    left* right;
}
|| requires(Left left, Right right) {
    left / right;
};

static_assert(Mixable<Apples, Apples>);
static_assert(!Mixable<Apples, Pears> && !Mixable<Apples, std::uint64_t> && !Mixable<std::uint64_t, Apples>);
static_assert(Scalable<Apples, int> && !Scalable<Apples, double> && !Scalable<Apples, Apples>);
static_assert(std::is_constructible_v<Apples, std::uint64_t> && !std::is_constructible_v<Apples, double>);
static_assert(!std::is_constructible_v<Apples, Pears> && !std::is_convertible_v<std::uint64_t, Apples>);
static_assert(!std::is_convertible_v<Apples, std::uint64_t> && !std::is_convertible_v<Apples, bool>);
static_assert(std::is_trivially_copyable_v<Apples> && sizeof(Apples) == sizeof(std::uint64_t));

constexpr Apples three(3);
static_assert(three + Apples(4) == Apples(7) && three - Apples(1) == Apples(2));
static_assert(three * 5 == Apples(15) && 5 * three == Apples(15) && Apples(17) / 5 == three);
static_assert(three < Apples(4) && three != Apples() && Apples() == Apples(0));

TEST(Quantity, AddsUp) {
    Apples apples;
    apples += three;
    apples -= Apples(1);
    EXPECT_EQ(apples.count(), 2U);
    EXPECT_DOUBLE_EQ(apples.as_double(), 2.0);
}

TEST(Quantity, OnlyTheSaturatingDifferenceStopsAtNothing) {
    EXPECT_EQ(saturating_sub(three, Apples(5)), Apples(0));
    EXPECT_EQ(saturating_sub(Apples(5), three), Apples(2));
    EXPECT_EQ(three - Apples(4), Apples(UINT64_MAX));
}

TEST(Quantity, ARatioIsANumber) {
    EXPECT_DOUBLE_EQ(ratio(three, Apples(4)), 0.75);
}

TEST(Quantity, ShowsItsCountInTests) {
    EXPECT_EQ(testing::PrintToString(three), "3");
}

}  // namespace
}  // namespace tmm
