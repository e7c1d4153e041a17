// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/paper_rule.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

constexpr Pages paper_memory(10'000);

// An epoch of ten minutes with accesses down to a depth, and some of them refaults.
EpochAccesses epoch_of(Pages depth, double refaults = 0) {
    EpochAccesses epoch{.positions = BackedHistogram(Pages(10), 2000)};
    epoch.positions.add(0, depth.as_double(), {60'000, 0});
    epoch.refaults = refaults;
    epoch.length = Seconds(600);
    return epoch;
}

PaperRule learned_rule(const PolicyParameters& parameters = {}) {
    PaperRule rule(parameters, Pages(10), 2000);
    EXPECT_FALSE(rule.learned());
    EXPECT_EQ(rule.end_epoch(epoch_of(Pages(3000)), paper_memory, false), AgedHistogram::Outcome::aged);
    EXPECT_TRUE(rule.learned());
    return rule;
}

TEST(PaperRule, NeedsAllThatIsUsedAndHasNoMargin) {
    const OpaqueNeed need = learned_rule().need(paper_memory);
    EXPECT_EQ(need.pages, Pages(3000));
    EXPECT_EQ(need.wanted, need.pages);
    EXPECT_TRUE(need.by_histogram);
}

TEST(PaperRule, TheMinimumIsNoLessThanNoise) {
    PolicyParameters parameters;
    parameters.min_opaque = 0.01;
    EXPECT_EQ(learned_rule(parameters).need(paper_memory).min_opaque, Pages(1000));
    parameters.min_opaque = 0.20;
    EXPECT_EQ(learned_rule(parameters).need(paper_memory).min_opaque, Pages(2000));
}

TEST(PaperRule, MissesViolateTheGoalOnceOneIsKnown) {
    const PaperRule beginner({}, Pages(10), 2000);
    EXPECT_FALSE(beginner.goal_violated(epoch_of(Pages(3000), 1000), paper_memory));
    const PaperRule rule = learned_rule();
    EXPECT_FALSE(rule.goal_violated(epoch_of(Pages(3000)), paper_memory));
    EXPECT_TRUE(rule.goal_violated(epoch_of(Pages(3000), 1000), paper_memory));
    EpochAccesses no_time = epoch_of(Pages(3000), 1000);
    no_time.length = Seconds(0);
    EXPECT_FALSE(rule.goal_violated(no_time, paper_memory));
}

TEST(PaperRule, AViolationChangesTheNeedAtOnce) {
    PaperRule rule = learned_rule();
    EpochAccesses epoch = epoch_of(Pages(6000), 1000);
    epoch.length = Seconds(1);
    EXPECT_EQ(rule.end_epoch(epoch, paper_memory, false), AgedHistogram::Outcome::collecting);
    EXPECT_EQ(rule.need(paper_memory).pages, Pages(3000));
    EXPECT_EQ(rule.end_epoch(epoch, paper_memory, true), AgedHistogram::Outcome::aged);
    EXPECT_EQ(rule.need(paper_memory).pages, Pages(6000));
}

TEST(PaperRule, KnowsNoPages) {
    const PaperRule rule = learned_rule();
    EXPECT_TRUE(rule.kept_by_cgroup().empty());
    EXPECT_TRUE(rule.protected_by_cgroup().empty());
    EXPECT_FALSE(rule.outgrown({.total = paper_memory, .opaque = paper_memory, .transparent = Pages(0)}, paper_memory));
}

}  // namespace
}  // namespace tmm::core
