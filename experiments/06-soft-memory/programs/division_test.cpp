// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The aims of the coordinator in simulation: from a minute on, at least 95 % of what the best static division reaches.
#include "division.hpp"

#include <gtest/gtest.h>

namespace tmm::soft_memory {
namespace {

constexpr Bytes total(std::uint64_t{4} << 30);
constexpr std::uint64_t seed = 1;

class DivisionTest : public testing::TestWithParam<Scenario> {};

TEST_P(DivisionTest, ReachesTheBestStaticDivision) {
    const Scenario& scenario = GetParam();
    const double best = run(scenario, *fixed_parts(best_static_parts(scenario, total, seed)), total, seed).mean();
    EXPECT_GE(run(scenario, *coordinator(), total, seed).mean(), 0.95 * best);
}

// One that claims a thousand times what a miss costs it. It takes most where all that it uses has room.
TEST_P(DivisionTest, ALiarTakesLittleFromTheOthers) {
    Scenario lying = GetParam();
    lying.lie = 1000;
    const double without = run(GetParam(), *coordinator(), total, seed).mean_but_first();
    const double kept = GetParam().name == "phase change" ? 0.88 : 0.95;
    EXPECT_GE(run(lying, *coordinator(), total, seed).mean_but_first(), kept * without);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, DivisionTest, testing::ValuesIn(scenarios()), [](const auto& scenario) {
    std::string name = scenario.param.name;
    std::erase(name, ' ');
    return name;
});

TEST(Division, EqualPartsAreNoMatch) {
    const Scenario cliffs = scenarios()[1];
    EXPECT_LT(run(cliffs, *equal_parts(), total, seed).mean(), 0.5 * run(cliffs, *coordinator(), total, seed).mean());
}

}  // namespace
}  // namespace tmm::soft_memory
