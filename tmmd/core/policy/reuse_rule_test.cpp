// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/reuse_rule.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tmmd/core/policy/miss_latency.hpp"

namespace tmm::core {
namespace {

constexpr Pages reuse_memory(10'000);
constexpr ByBacking slow{LatencyEstimate::unmeasured.count(), LatencyEstimate::unmeasured.count()};

// A rule and its stack.
class Reuse {
public:
    // Ten seconds in which pages are used, a quarter of them by another cgroup, the others by 7.
    void scan(PageKey pages, Pages opaque) {
        EpochSample sample;
        sample.attended = Seconds(10);
        for (PageKey key = 0; key < pages; ++key)
            sample.referenced.push_back({key, 1, Backing::anonymous, key % 4 == 0 ? other : CgroupId{7}});
        sample.uncounted = uncounted;
        rule.pass(sample, Seconds(10), stack_);
        rule.end_epoch(sample, stack_, positions_);
        rule.follow_growth(sample, usage(opaque), slow);
    }

    void poll(Pages opaque) {
        EpochSample sample;
        sample.scanned = false;
        rule.pass(sample, Seconds(0), stack_);
        rule.follow_growth(sample, usage(opaque), slow);
    }

    static MemoryUsage usage(Pages opaque) { return {.total = reuse_memory, .opaque = opaque, .transparent = Pages(0)}; }

    ReuseRule rule{{}};
    CgroupId other = 7;
    std::vector<CgroupId> uncounted;

private:
    EpochStack stack_;
    BackedHistogram positions_{Pages(10), 100};
};

TEST(ReuseRule, KnowsAnOwnerOnceSomebodyUsedTheMachine) {
    Reuse reuse;
    reuse.scan(1000, Pages(4000));
    EXPECT_FALSE(reuse.rule.learned());
    reuse.rule.note_use();
    EXPECT_TRUE(reuse.rule.learned());
    reuse.rule.restore(ReuseTable());
    EXPECT_FALSE(reuse.rule.learned()) << "an empty table tells of nobody";
}

TEST(ReuseRule, NeedsThePagesInUseTheirGrowthAndAMargin) {
    Reuse reuse;
    reuse.scan(1000, Pages(4000));
    reuse.scan(1000, Pages(4000));
    EXPECT_EQ(reuse.rule.need(reuse_memory).pages, Pages(1000));
    EXPECT_EQ(reuse.rule.need(reuse_memory).wanted, Pages(1500));
    EXPECT_EQ(reuse.rule.need(reuse_memory).min_opaque, Pages(1000));
    EXPECT_FALSE(reuse.rule.need(reuse_memory).by_histogram);
    reuse.poll(Pages(4200));
    EXPECT_EQ(reuse.rule.need(reuse_memory).pages, Pages(1400)) << "as much again finds room";
    reuse.poll(Pages(4200));
    EXPECT_EQ(reuse.rule.need(reuse_memory).pages, Pages(1200));
    EXPECT_EQ(reuse.rule.need(Pages(1100)).pages, Pages(1100)) << "no more than there is";
}

TEST(ReuseRule, AProgramThatIsNotCountedNeedsNothingAndOthersNeedTheSame) {
    Reuse reuse;
    reuse.other = 8;
    reuse.scan(1000, Pages(4000));
    const auto before = reuse.rule.kept_by_cgroup();
    ASSERT_EQ(before.size(), 2U);
    reuse.uncounted = {1, 8, 9};
    reuse.scan(1000, Pages(4000));
    EXPECT_EQ(reuse.rule.need(reuse_memory).pages, Pages(750));
    const auto kept = reuse.rule.kept_by_cgroup();
    ASSERT_EQ(kept.size(), 1U);
    EXPECT_EQ(kept.front().cgroup, CgroupId{7});
    EXPECT_EQ(kept.front().pages, before.front().pages);
    EXPECT_EQ(reuse.rule.protected_by_cgroup().size(), 1U) << "nor is it protected";
    reuse.uncounted.clear();
    reuse.scan(1000, Pages(4000));
    EXPECT_EQ(reuse.rule.need(reuse_memory).pages, Pages(1000)) << "what was learned of it is not lost";
}

TEST(ReuseRule, PagesOfNoKnownCgroupAlwaysCount) {
    const KeptPages kept{Pages(30), {{unknown_cgroup, Pages(10), {}}, {8, Pages(20), {}}}};
    EXPECT_EQ(without(kept, {}).pages, Pages(30));
    const std::vector<CgroupId> uncounted{8};
    EXPECT_EQ(without(kept, uncounted).pages, Pages(10));
}

TEST(ReuseRule, AQuarterOfTheMarginIsNoticed) {
    Reuse reuse;
    reuse.scan(1000, Pages(4000));
    EXPECT_FALSE(reuse.rule.outgrown(Reuse::usage(Pages(4125)), Pages(0)));
    EXPECT_TRUE(reuse.rule.outgrown(Reuse::usage(Pages(4126)), Pages(0)));
    EXPECT_TRUE(reuse.rule.outgrown(Reuse::usage(Pages(4000)), Pages(126))) << "evicted pages came, too";
    EXPECT_FALSE(reuse.rule.outgrown(Reuse::usage(Pages(3000)), Pages(126)));
}

TEST(ReuseRule, ProtectsTheNeedOfEachCgroupAndTheRestOfTheMargin) {
    Reuse reuse;
    reuse.scan(1000, Pages(4000));
    EXPECT_EQ(reuse.rule.kept_by_cgroup(), (std::vector<CgroupKeeps>{{7, Pages(1000), Seconds(0)}}));
    EXPECT_EQ(reuse.rule.protected_by_cgroup(), (std::vector<CgroupKeeps>{{7, Pages(1375), Seconds(0)}}));
    reuse.rule.forget_pages();
    EXPECT_TRUE(reuse.rule.kept_by_cgroup().empty());
    EXPECT_TRUE(reuse.rule.protected_by_cgroup().empty());
    EXPECT_EQ(reuse.rule.need(reuse_memory).pages, Pages(1000)) << "until the next scan";
}

TEST(ReuseRule, BoundsNoMisses) {
    EpochAccesses epoch{.positions = BackedHistogram(Pages(10), 100)};
    epoch.refaults = 1e6;
    epoch.length = Seconds(1);
    EXPECT_FALSE(ReuseRule({}).goal_violated(epoch, reuse_memory));
}

}  // namespace
}  // namespace tmm::core
