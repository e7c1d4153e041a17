// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/page_ages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "tmmd/core/histogram/epoch_stack.hpp"

namespace tmm::core {
namespace {

constexpr PageKind once = page_kind(Backing::anonymous, Use::once);
constexpr PageKind again = page_kind(Backing::anonymous, Use::again);
constexpr PageKind away_once = page_kind(Backing::anonymous, Use::away_once);
constexpr PageKind away_again = page_kind(Backing::anonymous, Use::away_again);
constexpr PageKind file_once = page_kind(Backing::file, Use::once);
constexpr PageKind file_again = page_kind(Backing::file, Use::again);

// A stack and its ages, as in the policy.
class Machine {
public:
    // The pages first to last - 1 are used in this epoch.
    void use(PageKey first, PageKey last, Backing backing) {
        for (PageKey key = first; key < last; ++key)
            pages_.push_back({key, 1, backing, cgroup});
    }

    // An epoch of so many attended seconds in which the pages first to last - 1 are used.
    void epoch(double attended, PageKey first, PageKey last, const std::vector<PageKey>& gone = {},
               Backing backing = Backing::anonymous) {
        use(first, last, backing);
        histogram_.clear();
        ages.pass(Seconds(attended) + unattended, Seconds(attended));
        stack_.end_epoch(std::exchange(pages_, {}), gone, histogram_, ages, table);
    }

    void left(Seconds ago) { stack_.left(ago, ages); }

    // Uses by kind, of all ages.
    [[nodiscard]] double uses(PageKind kind) const {
        return std::accumulate(table.uses()[kind].begin(), table.uses()[kind].end(), 0.0);
    }
    // Page-seconds by kind, of all ages.
    [[nodiscard]] double exposure(PageKind kind) const {
        return std::accumulate(table.exposure()[kind].begin(), table.exposure()[kind].end(), 0.0);
    }
    // Returns the range of ages with most uses of that kind.
    [[nodiscard]] std::size_t range_of_uses(PageKind kind) const {
        const auto& all = table.uses()[kind];
        return static_cast<std::size_t>(std::max_element(all.begin(), all.end()) - all.begin());
    }

    PageAges ages;
    ReuseTable table;
    Seconds unattended{0};  // of each epoch
    CgroupId cgroup = 1;

private:
    std::vector<SampledPage> pages_;
    EpochStack stack_;
    BackedHistogram histogram_{Pages(10), 100};
};

ReuseTable::ByKind all_worth(double value) {
    ReuseTable::ByKind values{};
    for (auto& of_kind : values)
        of_kind.fill(value);
    return values;
}

TEST(PageAges, AUseCountsAtTheAttendedTimeSinceTheLast) {
    Machine machine;
    machine.epoch(10, 0, 100);
    machine.epoch(100, 0, 0);
    machine.epoch(0, 0, 0);  // a night, however long
    machine.epoch(10, 0, 100);
    EXPECT_NEAR(machine.uses(once), 100, 0.1);
    EXPECT_EQ(machine.range_of_uses(once), ReuseTable::range_of(Seconds(110)));
    machine.epoch(10, 0, 100);
    EXPECT_NEAR(machine.uses(again), 100, 0.1) << "used before in another epoch";
    EXPECT_EQ(machine.range_of_uses(again), 0U);
}

// An epoch in which nobody is there may last for five minutes, and ranges of young ages are shorter. Uses counted at one age and
// time at another would make all pages of that age look as busy as those in use.
TEST(PageAges, ALongEpochCountsUsesAndTimeAtTheSameAges) {
    constexpr double length = 300;
    Machine machine;
    machine.epoch(0, 0, 0);  // the first
    machine.unattended = Seconds(length);
    machine.epoch(0, 0, 1000);
    EXPECT_NEAR(machine.exposure(away_once), 1000 * length / 2, 1) << "as if they came in the middle of the epoch";
    machine.epoch(0, 0, 100);
    EXPECT_EQ(machine.range_of_uses(away_once), ReuseTable::range_of(Seconds(length / 2)));
    EXPECT_NEAR(machine.exposure(away_once), 1000 * length / 2 + 900 * length + 100 * length / 2, 1);
    EXPECT_NEAR(machine.exposure(away_again), 100 * length / 2, 1);
    const auto each = [&](std::size_t range) {
        return machine.table.exposure()[away_once][range] /
               (ReuseTable::start_of(range + 1) - ReuseTable::start_of(range)).count();
    };
    for (std::size_t range = 0; range < ReuseTable::range_of(Seconds(length / 2)); ++range)
        EXPECT_NEAR(each(range), 1000 + 1000, 0.1) << "all pass this age in both epochs: range " << range;
    for (std::size_t range = ReuseTable::range_of(Seconds(length / 2)) + 1; range < ReuseTable::range_of(Seconds(length));
         ++range)
        EXPECT_NEAR(each(range), 900, 0.1) << "the unused alone: range " << range;
}

// As while somebody reads a page for minutes. Shorter ones count as they are: most sources need no longer ones in use.
TEST(PageAges, ALongEpochThatSomebodyAttendsCountsInTheSameWay) {
    for (const double length : {160.0, 300.0}) {
        Machine machine;
        machine.epoch(length, 0, 1000);
        machine.epoch(length, 0, 100);
        const Seconds at_use(length > 160 ? length / 2 : length);
        EXPECT_EQ(machine.range_of_uses(once), ReuseTable::range_of(at_use));
        EXPECT_NEAR(machine.uses(once), 100, 0.1) << "somebody waits for each";
        const double part = length > 160 ? 0.5 : 1;  // of an epoch, for a page that was used in it
        const double used_twice = length > 160 ? 100 * length / 2 : 0;
        EXPECT_NEAR(machine.exposure(once), 1000 * length * part + 900 * length + used_twice, 200) << "evidence fades a little";
    }
}

TEST(PageAges, AUseThatNobodyAttendsIsNone) {
    Machine machine;
    machine.epoch(10, 0, 100);
    machine.epoch(0, 0, 100);
    EXPECT_EQ(machine.uses(once), 0);
    machine.epoch(60, 0, 100);
    EXPECT_NEAR(machine.uses(away_again), 100, 0.1) << "its last use had no witness";
    EXPECT_EQ(machine.uses(once), 0);
}

// No time has passed when tmmd starts, yet what it finds is mostly the owner's: no job has used it just now.
TEST(PageAges, WhatTheFirstEpochFindsIsTakenForTheOwners) {
    for (const double unattended : {0.0, 300.0}) {
        Machine machine;
        machine.unattended = Seconds(unattended);
        machine.epoch(0, 0, 100);
        machine.unattended = Seconds(0);
        machine.epoch(60, 0, 100);
        EXPECT_NEAR(machine.uses(once), 100, 0.1);
        EXPECT_EQ(machine.uses(away_once), 0);
    }
}

// A backup that reads each night what it read the night before makes nobody wait.
TEST(PageAges, AUseOfAJobsMemoryCountsLessWhileNobodyWaitsForIt) {
    Machine machine;
    machine.epoch(0, 0, 0);  // the first
    machine.unattended = Seconds(60);
    machine.epoch(0, 0, 100);
    machine.epoch(0, 0, 100);
    EXPECT_NEAR(machine.uses(away_once), 10, 0.1);
    EXPECT_EQ(machine.uses(away_again), 0);
    machine.epoch(0, 0, 100);
    EXPECT_NEAR(machine.uses(away_again), 10, 0.1) << "used before in another epoch";
    machine.epoch(60, 0, 100);
    EXPECT_NEAR(machine.uses(away_again), 110, 0.1) << "the owner waits";
    machine.epoch(60, 0, 100);
    EXPECT_NEAR(machine.uses(again), 100, 0.1) << "the owner's now";
}

// The files of a backup grow old in the night that it runs in; what the owner used does not.
TEST(PageAges, MemoryUsedByNightAgesByNight) {
    Machine machine;
    machine.epoch(10, 0, 100);
    machine.unattended = Seconds(60);
    machine.cgroup = 2;
    machine.epoch(0, 100, 150);
    machine.unattended = Seconds(3600);
    machine.epoch(0, 0, 0);
    ReuseTable::ByKind young = all_worth(-1);
    for (auto& of_kind : young)
        of_kind[0] = 1;
    EXPECT_EQ(machine.ages.best_to_keep(young).pages, Pages(100));
    machine.epoch(0, 100, 150);
    EXPECT_EQ(machine.range_of_uses(away_once), ReuseTable::range_of(Seconds(5400)))
        << "a use in the night tells of the night's programs";
    EXPECT_NEAR(machine.uses(away_once), 5, 0.1);
}

// A job may begin soon after the owner's last input, before anybody knows that nobody is there.
TEST(PageAges, PagesOfAJobThatBeganBeforeTheAbsenceWasCertainAgeByNight) {
    Machine machine;
    machine.epoch(60, 0, 100);
    machine.epoch(60, 0, 100);
    machine.cgroup = 2;
    machine.epoch(240, 100, 150, {}, Backing::file);  // the last input was at its begin
    machine.left(Seconds(240));
    machine.unattended = Seconds(60);
    machine.epoch(0, 150, 180, {}, Backing::file);
    machine.unattended = Seconds(3600);
    machine.epoch(0, 0, 0);
    ReuseTable::ByKind young = all_worth(-1);
    for (auto& of_kind : young)
        of_kind[ReuseTable::range_of(Seconds(240))] = of_kind[0] = 1;
    EXPECT_EQ(machine.ages.best_to_keep(young).by_cgroup, (std::vector<CgroupKeeps>{{1, Pages(100), Seconds(240)}}))
        << "what the owner had used stays";
    machine.epoch(0, 100, 110, {}, Backing::file);
    EXPECT_NEAR(machine.uses(page_kind(Backing::file, Use::away_once)), 1, 0.1);
    EXPECT_EQ(machine.uses(page_kind(Backing::file, Use::once)), 0);
}

TEST(PageAges, AFileIsAnotherKind) {
    Machine machine;
    machine.epoch(10, 0, 100, {}, Backing::file);
    machine.epoch(10, 0, 100, {}, Backing::file);
    machine.epoch(10, 0, 100, {}, Backing::file);
    EXPECT_NEAR(machine.uses(file_again), 100, 0.1);
    EXPECT_EQ(machine.uses(again), 0);
}

TEST(PageAges, KeepsTheNewestPagesThatAreWorthMost) {
    Machine machine;
    machine.epoch(10, 0, 100);
    machine.epoch(3600, 100, 150);
    EXPECT_EQ(machine.ages.best_to_keep(all_worth(1)).pages, Pages(150));
    EXPECT_EQ(machine.ages.best_to_keep(all_worth(-1)).pages, Pages(0));
    ReuseTable::ByKind young = all_worth(-1);
    young[once][0] = 1;
    EXPECT_EQ(machine.ages.best_to_keep(young).pages, Pages(50));
    EXPECT_EQ(machine.ages.best_to_keep(young).by_cgroup, (std::vector<CgroupKeeps>{{1, Pages(50)}}));
    EXPECT_TRUE(machine.ages.best_to_keep(all_worth(-1)).by_cgroup.empty());
}

TEST(PageAges, KeepsWorthlessPagesAboveDearOnesIfThatPays) {
    Machine machine;
    machine.epoch(10, 0, 100);  // dear
    machine.epoch(3600, 100, 150, {}, Backing::file);
    ReuseTable::ByKind value = all_worth(0);
    value[page_kind(Backing::file, Use::once)].fill(-1);
    value[once].fill(0.6);
    EXPECT_EQ(machine.ages.best_to_keep(value).pages, Pages(150)) << "100 times 0.6 is more than 50";
    value[once].fill(0.4);
    EXPECT_EQ(machine.ages.best_to_keep(value).pages, Pages(0));
}

// The kernel can tell cgroups apart, so worthless pages of one keep no dear ones of another.
TEST(PageAges, KeepsTheNewestOfEachCgroup) {
    Machine machine;
    machine.cgroup = 5;
    machine.epoch(10, 0, 100);  // dear
    machine.cgroup = 3;
    machine.epoch(3600, 100, 150, {}, Backing::file);
    ReuseTable::ByKind value = all_worth(0.1);
    value[page_kind(Backing::file, Use::once)].fill(-1);
    EXPECT_EQ(machine.ages.best_to_keep(value).by_cgroup, (std::vector<CgroupKeeps>{{5, Pages(100), Seconds(3600)}}));
    EXPECT_EQ(machine.ages.best_to_keep(value).pages, Pages(100));
    EXPECT_EQ(machine.ages.best_to_keep(all_worth(1)).by_cgroup,
              (std::vector<CgroupKeeps>{{3, Pages(50)}, {5, Pages(100), Seconds(3600)}}));
    // The first hundred go; half of them were evicted, so they need room in their cgroup.
    std::vector<PageKey> gone(50);
    std::iota(gone.begin(), gone.end(), 0);
    machine.ages.add_evicted(Pages(50));
    machine.epoch(1, 0, 0, gone);
    EXPECT_EQ(machine.ages.best_to_keep(value).by_cgroup, (std::vector<CgroupKeeps>{{5, Pages(100), Seconds(3601)}}));
}

TEST(PageAges, APageThatAnotherCgroupUsesIsThatOnes) {
    Machine machine;
    machine.cgroup = 5;
    machine.epoch(10, 0, 100);
    machine.cgroup = 3;
    machine.epoch(10, 0, 40);
    EXPECT_EQ(machine.ages.best_to_keep(all_worth(1)).by_cgroup,
              (std::vector<CgroupKeeps>{{3, Pages(40)}, {5, Pages(60), Seconds(10)}}));
}

// Cgroups come and go with each program, and evicted pages may never come back.
TEST(PageAges, EvictedPagesOfEndedCgroupsTakeNoMemoryForEver) {
    PageAges ages(100);
    ReuseTable table;
    for (std::uint32_t epoch = 0; epoch < 20; ++epoch) {
        ages.pass(Seconds(1), Seconds(1));
        ages.begin_epoch();
        for (CgroupId cgroup = 1; cgroup <= 50; ++cgroup) {
            const SampledPage page{.key = cgroup, .weight = 4, .cgroup = 100 * epoch + cgroup};
            const PageKind kind = ages.appeared(page);
            ages.gone({.epoch = epoch, .kind = kind, .cgroup = page.cgroup, .weight = page.weight});
        }
        ages.add_evicted(Pages(200));
        ages.match_refaults(table);
        ages.end_epoch(table);
        ASSERT_LE(ages.nr_shares(), 100U);
    }
    // Evicted pages still count as unused.
    EXPECT_NEAR(table.exposure()[once][0], 4 * 50 * (20 * 21 / 2), 1);
}

// The kernel evicts inexactly, least exactly across cgroups. A need that sank with each such page would evict the next ones.
TEST(PageAges, KeepsRoomForPagesThatWereEvictedBeforeOlderOnes) {
    Machine machine;
    machine.epoch(10, 0, 100);
    machine.epoch(3600, 0, 0);
    machine.epoch(10, 100, 300);
    machine.epoch(10, 300, 310, {}, Backing::file);
    ReuseTable::ByKind young = all_worth(-1);
    young[once][0] = 1;
    EXPECT_EQ(machine.ages.best_to_keep(young).pages, Pages(210)) << "with the file that lies above";
    std::vector<PageKey> gone(60);
    std::iota(gone.begin(), gone.end(), 100);
    machine.ages.add_evicted(Pages(60));
    machine.epoch(0, 0, 0, gone);
    EXPECT_EQ(machine.ages.best_to_keep(young).pages, Pages(210));
    young[once][0] = -1;
    EXPECT_EQ(machine.ages.best_to_keep(young).pages, Pages(0));
}

TEST(PageAges, TellsHowManyPagesHaveEachAge) {
    Machine machine;
    machine.epoch(10, 0, 100);
    machine.epoch(60, 100, 150, {}, Backing::file);
    const std::size_t older = ReuseTable::range_of(Seconds(60));
    EXPECT_NEAR(machine.ages.present()[once][older], 100, 0.1);
    EXPECT_NEAR(machine.ages.present()[file_once][0], 50, 0.1);
    machine.ages.add_evicted(Pages(2));
    machine.epoch(0, 0, 0, {0, 1});
    EXPECT_NEAR(machine.ages.present()[once][older], 100, 0.1) << "evicted ones, too";
}

TEST(PageAges, FreedPagesAreForgotten) {
    Machine machine;
    machine.epoch(10, 0, 100);
    machine.epoch(10, 100, 150);
    std::vector<PageKey> gone(50);
    std::iota(gone.begin(), gone.end(), 100);
    machine.epoch(10, 0, 0, gone);
    EXPECT_EQ(machine.ages.best_to_keep(all_worth(1)).pages, Pages(100));
    // Freed, not evicted: used later than most. So nothing is known to come back.
    machine.ages.add_refaults(std::vector<Refault>{{Pages(0), Pages(0), Pages(50)}}, 1);
    machine.epoch(10, 200, 250);
    EXPECT_EQ(machine.uses(once), 0);
}

TEST(PageAges, ARefaultTellsHowOldItsPageWas) {
    Machine machine;
    machine.epoch(10, 0, 100);
    machine.epoch(3600, 100, 300);
    machine.epoch(3600, 0, 0);
    std::vector<PageKey> gone(100);
    std::iota(gone.begin(), gone.end(), 0);
    machine.epoch(10, 0, 0, gone);
    EXPECT_EQ(machine.ages.best_to_keep(all_worth(1)).pages, Pages(200)) << "an evicted page is not kept";
    const double unused = machine.table.exposure()[once][ReuseTable::range_of(Seconds(7220))];
    EXPECT_GT(unused, 0) << "an evicted page is still unused";
    machine.ages.add_refaults(std::vector<Refault>{{Pages(40), Pages(60), Pages(100)}}, 1);
    machine.epoch(10, 1000, 1100);  // the pages have other keys now
    EXPECT_NEAR(machine.uses(once), 100, 0.1);
    EXPECT_EQ(machine.range_of_uses(once), ReuseTable::range_of(Seconds(7220)));
    machine.epoch(10, 1000, 1100);
    EXPECT_NEAR(machine.uses(again), 100, 0.1) << "they were used before they were evicted";
}

// The kernel evicts some of what services use, as contributions take memory. It comes back while a job reads its files.
TEST(PageAges, PagesOfACgroupThatCameBackAreToldFromThoseOfAnother) {
    Machine machine;
    machine.cgroup = 5;
    machine.epoch(10, 0, 40, {}, Backing::file);
    machine.epoch(3600, 0, 40, {}, Backing::file);
    std::vector<PageKey> gone(40);
    std::iota(gone.begin(), gone.end(), 0);
    machine.ages.add_evicted(Pages(40));
    machine.epoch(60, 0, 0, gone);
    machine.ages.add_refaults(std::vector<Refault>{{Pages(0), Pages(40), Pages(40)}}, 0);
    machine.use(1000, 1040, Backing::file);  // the pages have other keys now
    machine.cgroup = 3;
    machine.epoch(60, 2000, 2500, {}, Backing::file);
    const double before = machine.uses(file_again);
    machine.cgroup = 5;
    machine.epoch(60, 1000, 1040, {}, Backing::file);
    EXPECT_NEAR(machine.uses(file_again) - before, 40, 0.1);
    machine.cgroup = 3;
    machine.epoch(60, 2000, 2500, {}, Backing::file);
    EXPECT_NEAR(machine.uses(file_once), 40 + 500, 1) << "the job's files were new";
}

// A job has another cgroup each night.
TEST(PageAges, PagesMayComeBackToAnotherCgroup) {
    Machine machine;
    machine.cgroup = 5;
    machine.epoch(10, 0, 40, {}, Backing::file);
    machine.epoch(3600, 100, 200);
    std::vector<PageKey> gone(40);
    std::iota(gone.begin(), gone.end(), 0);
    machine.ages.add_evicted(Pages(40));
    machine.epoch(60, 0, 0, gone);
    machine.ages.add_refaults(std::vector<Refault>{{Pages(0), Pages(40), Pages(40)}}, 0);
    machine.cgroup = 6;
    machine.epoch(60, 1000, 1040, {}, Backing::file);
    machine.epoch(60, 1000, 1040, {}, Backing::file);
    EXPECT_NEAR(machine.uses(file_again), 40, 0.1);
}

TEST(PageAges, TheKernelsCountTellsEvictedFromFreed) {
    Machine machine;
    machine.epoch(10, 0, 100);
    machine.epoch(3600, 100, 300);
    std::vector<PageKey> gone(100);
    std::iota(gone.begin(), gone.end(), 0);
    machine.ages.add_evicted(Pages(0));
    machine.epoch(10, 0, 0, gone);
    machine.ages.add_refaults(std::vector<Refault>{{Pages(50), Pages(50), Pages(10)}}, 1);
    machine.ages.add_evicted(Pages(0));
    machine.epoch(10, 1000, 1010);
    EXPECT_EQ(machine.uses(once), 0) << "old as they are, they were freed";
}

TEST(PageAges, TheKernelCountsEvictionsThatNoScanSaw) {
    Machine machine;
    machine.epoch(10, 0, 100);
    machine.epoch(3600, 100, 300);
    std::vector<PageKey> gone(100);
    std::iota(gone.begin(), gone.end(), 0);
    machine.ages.add_evicted(Pages(100));
    machine.epoch(10, 0, 0, gone);
    machine.ages.add_evicted(Pages(500));  // came and went
    machine.epoch(10, 0, 0);
    machine.ages.add_refaults(std::vector<Refault>{{Pages(550), Pages(550), Pages(10)}}, 1);
    machine.ages.add_refaults(std::vector<Refault>{{Pages(100), Pages(100), Pages(1)}}, 1);
    machine.epoch(10, 1000, 1010);
    EXPECT_NEAR(machine.table.uses()[once][ReuseTable::range_of(Seconds(3630))], 10, 0.1);
    EXPECT_NEAR(machine.table.uses()[once][0], 1, 0.1);
}

// Contributions take memory fast, and the kernel takes from all cgroups in turn. So pages in use go, and are back before the next
// scan, among old ones that nobody uses.
TEST(PageAges, APageInUseThatGoesAndComesBackTellsNothingOfOldPages) {
    Machine machine;
    machine.epoch(10, 1000, 2000);  // left
    for (int epoch = 0; epoch < 360; ++epoch)
        machine.epoch(10, 0, 100);
    const double of_left = machine.uses(once);
    const double of_hot = machine.uses(again);
    std::vector<PageKey> gone(400);
    std::iota(gone.begin(), gone.end(), 1000);
    for (PageKey hot = 0; hot < 40; ++hot)
        gone.push_back(hot);
    machine.ages.add_evicted(Pages(440));
    machine.ages.add_refaults(std::vector<Refault>{{Pages(0), Pages(400), Pages(40)}}, 1);
    machine.epoch(10, 5000, 5040, gone);
    EXPECT_LT(machine.uses(once) - of_left, 0.1);
    EXPECT_NEAR(machine.uses(again), of_hot * std::exp(-10 / ReuseTable::remembered.count()) + 40, 0.1);
}

TEST(PageAges, ADistanceCountsFromTheEvictionsUntilTheRefault) {
    Machine machine;
    machine.epoch(10, 0, 100);  // evicted early
    machine.epoch(3600, 100, 300);
    machine.epoch(3600, 300, 400);
    std::vector<PageKey> gone(100);
    std::iota(gone.begin(), gone.end(), 0);
    machine.ages.add_evicted(Pages(100));
    machine.epoch(10, 0, 0, gone);
    machine.ages.add_evicted(Pages(0));
    machine.ages.add_refaults(std::vector<Refault>{{Pages(50), Pages(50), Pages(10)}}, 1);
    std::iota(gone.begin(), gone.end(), 100);
    machine.ages.add_evicted(Pages(100));  // later in the epoch
    machine.epoch(10, 1000, 1010, gone);
    EXPECT_NEAR(machine.uses(once), 10, 0.1);
    EXPECT_EQ(machine.range_of_uses(once), ReuseTable::range_of(Seconds(7220)));
}

TEST(PageAges, MergedEpochsKeepTheirPages) {
    Machine machine;
    const PageKey nr_epochs = 3 * EpochStack::max_epochs;
    for (PageKey epoch = 0; epoch < nr_epochs; ++epoch)
        machine.epoch(1, epoch, epoch + 1);
    EXPECT_EQ(machine.ages.best_to_keep(all_worth(1)).pages, Pages(nr_epochs));
    ReuseTable::ByKind young = all_worth(-1);
    for (std::size_t range = 0; range < ReuseTable::range_of(Seconds(3600)); ++range)
        young[once][range] = 1;
    const auto kept = machine.ages.best_to_keep(young).pages.as_double();
    const double age = ReuseTable::start_of(ReuseTable::range_of(Seconds(3600))).count();
    EXPECT_NEAR(kept, age, 0.02 * age) << "ages outlive the merging";
}

}  // namespace
}  // namespace tmm::core
