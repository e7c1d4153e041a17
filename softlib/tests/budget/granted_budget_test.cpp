// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/budget/granted_budget.hpp"

#include <gtest/gtest.h>

#include "coordinate/records.hpp"
#include "tests/mebibyte.hpp"

namespace soft::detail {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::steady_clock::time_point start{100s};
constexpr std::size_t held = 1000 * mebibyte;

std::size_t granted(std::size_t mib, const OwnBudget& own, bool is_urgent = false) {
    return granted_budget(GrantedMemory{mib * mebibyte, start + 10s, is_urgent}, own, held, start) / mebibyte;
}

TEST(GrantedBudgetTest, WithoutAValidGrantItIsTheHeapsOwn) {
    EXPECT_EQ(granted_budget(std::nullopt, {77, false}, held, start), 77U);
    EXPECT_EQ(granted_budget(std::nullopt, {77, true}, held, start), 77U);
    EXPECT_EQ(granted_budget(GrantedMemory{5, start, true}, {77, false}, held, start), 77U) << "it has just expired";
    EXPECT_EQ(granted_budget(GrantedMemory{5, start + 1ns, true}, {77, false}, held, start), 5U);
}

TEST(GrantedBudgetTest, AGrantCountsAboveAndBelowTheHeapsOwn) {
    EXPECT_EQ(granted(3000, {1200 * mebibyte, false}), 3000U);
    EXPECT_EQ(granted(900, {1200 * mebibyte, false}), 900U);
}

TEST(GrantedBudgetTest, TheMachinesRetreatBoundsIt) {
    EXPECT_EQ(granted(3000, {700 * mebibyte, true}), 700U);
    EXPECT_EQ(granted(900, {950 * mebibyte, true}), 900U) << "the lower of both";
}

TEST(GrantedBudgetTest, ShrinksInStepsUnlessItIsUrgent) {
    EXPECT_EQ(granted(100, {1200 * mebibyte, false}), 744U);
    EXPECT_EQ(granted(100, {1200 * mebibyte, false}, true), 100U);
    EXPECT_EQ(granted(100, {400 * mebibyte, true}), 400U) << "the machine does not wait";
    EXPECT_EQ(granted_budget(GrantedMemory{0, start + 1s, false}, {5, false}, mebibyte, start), 0U);
}

TEST(ParseGrantTest, TakesRecordsOfThisVersionOnly) {
    coordinate::grant record{
        {coordinate::version, static_cast<std::uint32_t>(coordinate::kind::grant)}, 7, 5 * mebibyte, 10'000, 1};
    const auto bytes = [&record](std::size_t size = sizeof(coordinate::grant)) {
        return std::string_view(reinterpret_cast<const char*>(&record), size);
    };
    const auto grant = parse_grant(bytes(), start);
    ASSERT_TRUE(grant);
    EXPECT_EQ(grant->bytes, 5 * mebibyte);
    EXPECT_EQ(grant->until, start + 10s);
    EXPECT_TRUE(grant->is_urgent);
    EXPECT_EQ(grant->number, 7U);
    EXPECT_FALSE(parse_grant(bytes(sizeof record - 1), start));
    EXPECT_FALSE(parse_grant("", start));
    EXPECT_FALSE(parse_grant(std::string(sizeof record + 1, '\0'), start));
    ++record.header.version;
    EXPECT_FALSE(parse_grant(bytes(), start));
    record.header = {coordinate::version, static_cast<std::uint32_t>(coordinate::kind::report)};
    EXPECT_FALSE(parse_grant(bytes(), start));
}

}  // namespace
}  // namespace soft::detail
