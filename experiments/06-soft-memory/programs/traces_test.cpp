// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// soft_traces_test DIR: the aim of the coordinator with real traces as tenants. DIR: what experiments/traces/fetch prints.
#include <gtest/gtest.h>

#include <string>

#include "division.hpp"
#include "trace_files.hpp"

namespace tmm::soft_memory {
namespace {

std::string folder;

TEST(RealTraces, ReachTheBestStaticDivision) {
    constexpr Bytes total(std::uint64_t{4} << 30);
    const TraceFiles traces(folder);
    const Scenario scenario = real_traces(traces.twitter, traces.cloud_physics);
    const double best = run(scenario, *fixed_parts(best_static_parts(scenario, total, 1)), total, 1).mean();
    EXPECT_GE(run(scenario, *coordinator(), total, 1).mean(), 0.95 * best);
}

}  // namespace
}  // namespace tmm::soft_memory

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    tmm::soft_memory::folder = argc > 1 ? argv[1] : "";
    return RUN_ALL_TESTS();
}
