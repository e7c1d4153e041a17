// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/keep_rule.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tmmd/core/histogram/ageing_machine.hpp"
#include "tmmd/core/policy/miss_latency.hpp"

namespace tmm::core {
namespace {

constexpr ByBacking disk{LatencyEstimate::unmeasured.count(), LatencyEstimate::unmeasured.count()};

ReuseTable::ByKind all_worth(double value) {
    ReuseTable::ByKind values{};
    for (auto& of_kind : values)
        of_kind.fill(value);
    return values;
}

TEST(KeepRule, AFastStoreKeepsLess) {
    PageAges ages;
    ReuseTable learned;
    EpochStack stack;
    BackedHistogram histogram(Pages(10), 100);
    for (PageKey key = 0; key < 100; ++key) {
        ages.pass(Seconds(180), Seconds(180));
        stack.end_epoch(std::vector<SampledPage>{{key, 1, Backing::anonymous}}, {}, histogram, ages, learned);
    }
    const ReuseTable table;  // the prior: unused pages are worth less and less
    const KeepRule rule;
    const Pages kept = rule.opaque_need(ages, table, disk).pages;
    EXPECT_GT(kept, Pages(20)) << "an hour";
    EXPECT_LT(kept, Pages(100));
    EXPECT_LT(rule.opaque_need(ages, table, {5e-6, 5e-6}).pages, kept);
    EXPECT_LT(KeepRule{.break_even = Seconds(3600)}.opaque_need(ages, table, disk).pages, kept);
    EXPECT_EQ(KeepRule{.break_even = Seconds(1e9)}.opaque_need(ages, table, disk).pages, Pages(100));
}

// The table tells of a few pages that services use now and then, and of many that were used once by day.
TEST(KeepRule, AFewPagesDoNotKeepTheManyOfAJob) {
    constexpr PageKind away = page_kind(Backing::file, Use::away_once);
    const Seconds age(2500);
    ReuseTable table;
    ReuseTable::ByKind known{};
    ReuseTable::ByKind uses{};
    known[page_kind(Backing::file, Use::once)].fill(1000);
    known[away][ReuseTable::range_of(Seconds(3600))] = 10;
    uses[away][ReuseTable::range_of(Seconds(3600))] = 3;
    for (int i = 0; i < 50; ++i)
        table.add({.attended = Seconds(3600), .any = Seconds(3600)}, uses, known);
    const auto need_of = [&](PageKey pages) {
        PageAges ages;
        ReuseTable learned;
        EpochStack stack;
        BackedHistogram histogram(Pages(10), 100);
        std::vector<SampledPage> used;
        for (PageKey key = 0; key < pages; ++key)
            used.push_back({key, 1, Backing::file});
        stack.end_epoch({}, {}, histogram, ages, learned);  // the first: of before
        ages.pass(Seconds(60), Seconds(0));
        stack.end_epoch(std::move(used), {}, histogram, ages, learned);
        ages.pass(age, Seconds(0));
        stack.end_epoch({}, {}, histogram, ages, learned);
        return KeepRule().opaque_need(ages, table, disk).pages;
    };
    EXPECT_EQ(need_of(10), Pages(10));
    EXPECT_EQ(need_of(100'000), Pages(0));
}

TEST(KeepRule, KeepsTheNewestPagesThatAreWorthMost) {
    AgeingMachine machine;
    machine.epoch(10, 0, 100);
    machine.epoch(3600, 100, 150);
    EXPECT_EQ(KeepRule::best_to_keep(machine.ages, all_worth(1)).pages, Pages(150));
    EXPECT_EQ(KeepRule::best_to_keep(machine.ages, all_worth(-1)).pages, Pages(0));
    ReuseTable::ByKind young = all_worth(-1);
    young[once][0] = 1;
    EXPECT_EQ(KeepRule::best_to_keep(machine.ages, young).pages, Pages(50));
    EXPECT_EQ(KeepRule::best_to_keep(machine.ages, young).by_cgroup, (std::vector<CgroupKeeps>{{1, Pages(50)}}));
    EXPECT_TRUE(KeepRule::best_to_keep(machine.ages, all_worth(-1)).by_cgroup.empty());
}

TEST(KeepRule, KeepsWorthlessPagesAboveDearOnesIfThatPays) {
    AgeingMachine machine;
    machine.epoch(10, 0, 100);  // dear
    machine.epoch(3600, 100, 150, {}, Backing::file);
    ReuseTable::ByKind value = all_worth(0);
    value[page_kind(Backing::file, Use::once)].fill(-1);
    value[once].fill(0.6);
    EXPECT_EQ(KeepRule::best_to_keep(machine.ages, value).pages, Pages(150)) << "100 times 0.6 is more than 50";
    value[once].fill(0.4);
    EXPECT_EQ(KeepRule::best_to_keep(machine.ages, value).pages, Pages(0));
}

// The kernel can tell cgroups apart, so worthless pages of one keep no dear ones of another.
TEST(KeepRule, KeepsTheNewestOfEachCgroup) {
    AgeingMachine machine;
    machine.cgroup = 5;
    machine.epoch(10, 0, 100);  // dear
    machine.cgroup = 3;
    machine.epoch(3600, 100, 150, {}, Backing::file);
    ReuseTable::ByKind value = all_worth(0.1);
    value[page_kind(Backing::file, Use::once)].fill(-1);
    EXPECT_EQ(KeepRule::best_to_keep(machine.ages, value).by_cgroup, (std::vector<CgroupKeeps>{{5, Pages(100), Seconds(3600)}}));
    EXPECT_EQ(KeepRule::best_to_keep(machine.ages, value).pages, Pages(100));
    EXPECT_EQ(KeepRule::best_to_keep(machine.ages, all_worth(1)).by_cgroup,
              (std::vector<CgroupKeeps>{{3, Pages(50)}, {5, Pages(100), Seconds(3600)}}));
    // The first hundred go; half of them were evicted, so they need room in their cgroup.
    std::vector<PageKey> gone(50);
    std::iota(gone.begin(), gone.end(), 0);
    machine.ages.add_evicted(Pages(50));
    machine.epoch(1, 0, 0, gone);
    EXPECT_EQ(KeepRule::best_to_keep(machine.ages, value).by_cgroup, (std::vector<CgroupKeeps>{{5, Pages(100), Seconds(3601)}}));
}

// The kernel evicts inexactly, least exactly across cgroups. A need that sank with each such page would evict the next ones.
TEST(KeepRule, KeepsRoomForPagesThatWereEvictedBeforeOlderOnes) {
    AgeingMachine machine;
    machine.epoch(10, 0, 100);
    machine.epoch(3600, 0, 0);
    machine.epoch(10, 100, 300);
    machine.epoch(10, 300, 310, {}, Backing::file);
    ReuseTable::ByKind young = all_worth(-1);
    young[once][0] = 1;
    EXPECT_EQ(KeepRule::best_to_keep(machine.ages, young).pages, Pages(210)) << "with the file that lies above";
    std::vector<PageKey> gone(60);
    std::iota(gone.begin(), gone.end(), 100);
    machine.ages.add_evicted(Pages(60));
    machine.epoch(0, 0, 0, gone);
    EXPECT_EQ(KeepRule::best_to_keep(machine.ages, young).pages, Pages(210));
    young[once][0] = -1;
    EXPECT_EQ(KeepRule::best_to_keep(machine.ages, young).pages, Pages(0));
}

}  // namespace
}  // namespace tmm::core
