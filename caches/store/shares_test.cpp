// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/store/shares.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace tmm::caches {
namespace {

using Limits = std::vector<std::size_t>;

TEST(Shares, OneTenantHasAll) {
    EXPECT_EQ(divide({{200, 0}}, 1100, 1), Limits{1100});
    EXPECT_EQ(divide({}, 1100, 1), Limits{});
}

// The paper's section 6.9: weights 200, 300 and 600.
TEST(Shares, ThoseThatWantMoreHaveTheSameFairness) {
    EXPECT_EQ(divide({{200, 5000}, {300, 5000}, {600, 5000}}, 1100, 1), (Limits{200, 300, 600}));
    EXPECT_EQ(divide({{200, 5000}, {300, 5000}}, 1100, 1), (Limits{440, 660}));
    EXPECT_DOUBLE_EQ(fairness(600, 1100, 600, 1100), 1);
    EXPECT_DOUBLE_EQ(fairness(300, 1100, 600, 1100), 0.5);
    EXPECT_EQ(fairness(300, 0, 600, 1100), 0);
}

TEST(Shares, ATenantThatWantsLessLeavesTheRestToTheOthersByTheirWeights) {
    EXPECT_EQ(divide({{200, 5000}, {300, 5000}, {600, 100}}, 1100, 1), (Limits{400, 600, 100}));
    EXPECT_EQ(divide({{600, 100}, {200, 150}, {300, 5000}}, 1100, 1), (Limits{100, 150, 850}));
}

TEST(Shares, SlackIsForAllByTheirWeights) {
    EXPECT_EQ(divide({{1, 100}, {3, 100}}, 1000, 1), (Limits{300, 700}));
}

TEST(Shares, LimitsAreWholeGrains) {
    EXPECT_EQ(divide({{1, 11}, {1, 5000}}, 105, 10), (Limits{20, 80}));
    EXPECT_EQ(divide({{1, 5000}, {1, 5000}}, 5, 10), (Limits{0, 0}));
}

TEST(Shares, DividesAllThereIs) {
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
        std::vector<Tenant> tenants(1 + random() % 16);
        std::uint64_t weights = 0;
        for (Tenant& one : tenants) {
            one = {1 + static_cast<std::uint32_t>(random()) % 1000, random() % 100'000};
            weights += one.weight;
        }
        const std::size_t all = random() % 1'000'000;
        const Limits limits = divide(tenants, all, 1);
        const std::size_t sum = std::accumulate(limits.begin(), limits.end(), std::size_t{0});
        ASSERT_LE(sum, all);
        ASSERT_GE(sum + 2 * tenants.size(), all);
        for (std::size_t i = 0; i < tenants.size(); ++i) {
            // It has its share, or all that it wants.
            const std::size_t share = all * tenants[i].weight / weights;
            ASSERT_GE(limits[i] + 2, std::min(share, tenants[i].wanted_bytes));
        }
    }
}

}  // namespace
}  // namespace tmm::caches
