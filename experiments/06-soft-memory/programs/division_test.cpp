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

INSTANTIATE_TEST_SUITE_P(Scenarios, DivisionTest, testing::ValuesIn(scenarios()), [](const auto& scenario) {
    std::string name = scenario.param.name;
    std::erase(name, ' ');
    return name;
});

TEST(Division, EqualPartsAreNoMatch) {
    const Scenario cliffs = scenarios()[1];
    EXPECT_LT(run(cliffs, *equal_parts(), total, seed).mean(), 0.5 * run(cliffs, *coordinator(), total, seed).mean());
}

TEST(Division, ALiarGainsLittle) {
    Scenario honest = scenarios()[0];
    Scenario lying = honest;
    lying.lie = 1000;
    const auto others = [](const Outcome& outcome) { return outcome.progress[1] + outcome.progress[2] + outcome.progress[3]; };
    const double without = others(run(honest, *coordinator(), total, seed));
    EXPECT_GE(others(run(lying, *coordinator(), total, seed)), 0.95 * without);
}

}  // namespace
}  // namespace tmm::soft_memory
