// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tmm::histogram {
namespace {

constexpr Shape small{.memory_pages = 10'000, .visits_per_s = 500, .seconds = 40, .seed = 1};

std::vector<Visit> visits_of(std::string_view name, const Shape& shape) {
    std::vector<Visit> visits;
    workload_named(name)->generate(shape, [&](const Visit& visit) { visits.push_back(visit); });
    return visits;
}

TEST(Workload, TimeNeverFallsAndThereIsSomething) {
    for (const Workload& workload : workloads()) {
        const std::vector<Visit> visits = visits_of(workload.name, small);
        ASSERT_GT(visits.size(), 10'000U) << workload.name;
        for (std::size_t i = 1; i < visits.size(); ++i)
            ASSERT_LE(visits[i - 1].t_us, visits[i].t_us) << workload.name;
    }
}

TEST(Workload, TheSeedDecides) {
    for (const Workload& workload : workloads()) {
        const auto key = [&](std::uint64_t seed) {
            Shape shape = small;
            shape.seed = seed;
            std::uint64_t sum = 0;
            for (const Visit& visit : visits_of(workload.name, shape))
                sum = 31 * sum + visit.page;
            return sum;
        };
        EXPECT_EQ(key(1), key(1)) << workload.name;
        EXPECT_NE(key(1), key(2)) << workload.name;
    }
}

TEST(Workload, WorkingSetsAreTheSharesThatTheyClaim) {
    const auto pages_of = [](std::string_view name) {
        std::set<std::uint64_t> pages;
        for (const Visit& visit : visits_of(name, small))
            pages.insert(visit.page);
        return pages.size();
    };
    EXPECT_EQ(pages_of("loop"), 4001U);
    EXPECT_LE(pages_of("zipf"), 6000U);
    EXPECT_LE(pages_of("phases"), 6000U);
    EXPECT_GT(pages_of("phases"), 5000U) << "nearly all of them in so short a time";
    EXPECT_NEAR(static_cast<double>(pages_of("desktop")), 5200, 600);
}

TEST(Workload, ABreakHasOnlyNoise) {
    std::size_t in_break = 0;
    for (const Visit& visit : visits_of("desktop", small))
        in_break += visit.t_us >= 20'000'000 && visit.t_us < 40'000'000 ? 1 : 0;
    EXPECT_LT(in_break, 10U * 20);
    EXPECT_GE(visits_of("idle", small).back().t_us, static_cast<std::uint64_t>(idle_s * 1e6));
}

TEST(Workload, OthersAreNotThere) {
    EXPECT_FALSE(workload_named("nonsense"));
}

}  // namespace
}  // namespace tmm::histogram
