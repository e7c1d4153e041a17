// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/holds/evict_pace.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tmm::core {
namespace {

constexpr Bytes mib(std::uint64_t count) {
    return Bytes(count << 20);
}

TEST(EvictPace, FollowsTheTimeOfAStep) {
    EXPECT_EQ(EvictPace::next(mib(16), Seconds(0.125)), mib(32));
    EXPECT_EQ(EvictPace::next(mib(32), Seconds(0.126)), mib(32));
    EXPECT_EQ(EvictPace::next(mib(32), Seconds(0.25)), mib(32));
    EXPECT_EQ(EvictPace::next(mib(32), Seconds(0.26)), mib(16));
}

TEST(EvictPace, HasBounds) {
    EXPECT_EQ(EvictPace::next(EvictPace::min_step, Seconds(60)), mib(16));
    EXPECT_EQ(EvictPace::next(EvictPace::max_step, Seconds(0)), mib(64));
}

// Returns the longest of many steps on a disk of that speed, with that cost of each.
Seconds longest(double bytes_per_s, Seconds cost) {
    Seconds max{0};
    Bytes step = EvictPace::min_step;
    for (int i = 0; i < 100; ++i) {
        const Seconds taken = cost + Seconds(static_cast<double>(step.count()) / bytes_per_s);
        max = std::max(max, taken);
        step = EvictPace::next(step, taken);
    }
    return max;
}

TEST(EvictPace, AStepEndsInTimeOnANormalDisk) {
    for (const double bytes_per_s : {80e6, 100e6, 150e6, 200e6, 500e6, 3e9}) {
        for (const double cost : {0.0, 0.01, 0.03})
            EXPECT_LE(longest(bytes_per_s, Seconds(cost)), EvictPace::max_length) << bytes_per_s << " " << cost;
    }
}

}  // namespace
}  // namespace tmm::core
