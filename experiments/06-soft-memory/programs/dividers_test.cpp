// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "dividers.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

namespace tmm::soft_memory {
namespace {

constexpr Bytes memory(std::uint64_t{1} << 30);

// Uses 600 MiB in a loop, a thousand times a second.
Seen looping(std::uint64_t id) {
    Seen seen;
    seen.report.id = id;
    seen.report.rebuild_s = 0.001;
    seen.report.footprint = Bytes(std::uint64_t{600} << 20);
    seen.report.reuses_per_s[74] = 1000;
    return seen;
}
Seen idle(std::uint64_t id) {
    Seen seen;
    seen.report.id = id;
    return seen;
}
Bytes sum(const std::vector<Bytes>& parts) {
    return std::accumulate(parts.begin(), parts.end(), Bytes(0));
}

class DividersTest : public testing::TestWithParam<std::string_view> {};

// Each may hold a hundredth more for a while, to probe.
TEST_P(DividersTest, GiveAwayWhatThereIs) {
    const auto divider = divider_named(GetParam());
    for (int second = 0; second < 20; ++second)
        EXPECT_LE(sum(divider->divide(memory, {looping(1), idle(2)})), memory + memory / 100);
    EXPECT_LE(sum(divider->divide(memory / 2, {looping(1), idle(2)})), memory / 2 + memory / 200);
    EXPECT_EQ(divider->divide(memory, {looping(1), idle(2), idle(3)}).size(), 3U);
    EXPECT_TRUE(divider_named(GetParam())->divide(memory, {}).empty());
}

INSTANTIATE_TEST_SUITE_P(Ways, DividersTest, testing::ValuesIn(divider_names()), [](const auto& way) {
    std::string name(way.param);
    std::erase(name, '-');
    return name;
});

TEST(Dividers, AHungryProgramGetsMoreThanAnIdleOne) {
    // What a program has near its end, or just beyond it.
    for (const std::string_view name : {"cliffhanger", "marginal-hits", "coordinator"}) {
        const auto divider = divider_named(name);
        std::vector<Bytes> parts;
        for (int second = 0; second < 30; ++second) {
            Seen hungry = looping(1);
            const Bytes has = parts.empty() ? memory / 2 : parts[0];
            for (std::size_t i = 0; i < core::nr_reuse_buckets; ++i)
                hungry.report.reuses_per_s[i] = core::bucket_end(i) > has / 2 ? 200 : 0;
            hungry.report.budget = has;
            parts = divider->divide(memory, {hungry, idle(2)});
        }
        EXPECT_GT(parts[0], parts[1]) << name;
    }
}

TEST(Dividers, HillClimbingGivesToTheOneThatRebuildsLessWithMore) {
    const auto divider = hill_climbing();
    Seen hungry = looping(1);
    Seen sated = idle(2);
    std::vector<Bytes> parts{memory / 2, memory / 2};
    for (int second = 0; second < 60; ++second) {
        hungry.rebuild_s += parts[0] > memory / 2 ? 0.2 : 0.5;
        parts = divider->divide(memory, {hungry, sated});
    }
    EXPECT_GT(parts[0], parts[1]);
}

TEST(Dividers, UnknownNamesAreNone) {
    EXPECT_EQ(divider_named("best"), nullptr);
}

}  // namespace
}  // namespace tmm::soft_memory
