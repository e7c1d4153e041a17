// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/page_ages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "tmmd/core/histogram/ageing_machine.hpp"

namespace tmm::core {
namespace {

using Resident = std::map<CgroupId, std::uint64_t>;

TEST(PageAges, AUseCountsAtTheAttendedTimeSinceTheLast) {
    AgeingMachine machine;
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
    AgeingMachine machine;
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
        AgeingMachine machine;
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
    AgeingMachine machine;
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
        AgeingMachine machine;
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
    AgeingMachine machine;
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
    AgeingMachine machine;
    machine.epoch(10, 0, 100);
    machine.unattended = Seconds(60);
    machine.cgroup = 2;
    machine.epoch(0, 100, 150);
    machine.unattended = Seconds(3600);
    machine.epoch(0, 0, 0);
    EXPECT_EQ(machine.resident(ReuseTable::start_of(1)), (Resident{{1, 100}}));
    machine.epoch(0, 100, 150);
    EXPECT_EQ(machine.range_of_uses(away_once), ReuseTable::range_of(Seconds(5400)))
        << "a use in the night tells of the night's programs";
    EXPECT_NEAR(machine.uses(away_once), 5, 0.1);
}

// A job may begin soon after the owner's last input, before anybody knows that nobody is there.
TEST(PageAges, PagesOfAJobThatBeganBeforeTheAbsenceWasCertainAgeByNight) {
    AgeingMachine machine;
    machine.epoch(60, 0, 100);
    machine.epoch(60, 0, 100);
    machine.cgroup = 2;
    machine.epoch(240, 100, 150, {}, Backing::file);  // the last input was at its begin
    machine.left(Seconds(240));
    machine.unattended = Seconds(60);
    machine.epoch(0, 150, 180, {}, Backing::file);
    machine.unattended = Seconds(3600);
    machine.epoch(0, 0, 0);
    EXPECT_EQ(machine.resident(Seconds(241)), (Resident{{1, 100}})) << "what the owner had used";
    EXPECT_EQ(machine.resident(Seconds(240)), Resident());
    machine.epoch(0, 100, 110, {}, Backing::file);
    EXPECT_NEAR(machine.uses(page_kind(Backing::file, Use::away_once)), 1, 0.1);
    EXPECT_EQ(machine.uses(page_kind(Backing::file, Use::once)), 0);
}

TEST(PageAges, AFileIsAnotherKind) {
    AgeingMachine machine;
    machine.epoch(10, 0, 100, {}, Backing::file);
    machine.epoch(10, 0, 100, {}, Backing::file);
    machine.epoch(10, 0, 100, {}, Backing::file);
    EXPECT_NEAR(machine.uses(file_again), 100, 0.1);
    EXPECT_EQ(machine.uses(again), 0);
}

TEST(PageAges, APageThatAnotherCgroupUsesIsThatOnes) {
    AgeingMachine machine;
    machine.cgroup = 5;
    machine.epoch(10, 0, 100);
    machine.cgroup = 3;
    machine.epoch(10, 0, 40);
    EXPECT_EQ(machine.resident(), (Resident{{3, 40}, {5, 60}}));
    EXPECT_EQ(machine.resident(Seconds(10)), (Resident{{3, 40}}));
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

TEST(PageAges, TellsHowManyPagesHaveEachAge) {
    AgeingMachine machine;
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
    AgeingMachine machine;
    machine.epoch(10, 0, 100);
    machine.epoch(10, 100, 150);
    std::vector<PageKey> gone(50);
    std::iota(gone.begin(), gone.end(), 100);
    machine.epoch(10, 0, 0, gone);
    EXPECT_EQ(machine.resident(), (Resident{{1, 100}}));
    // Freed, not evicted: used later than most. So nothing is known to come back.
    machine.ages.add_refaults(std::vector<Refault>{{Pages(0), Pages(0), Pages(50)}}, 1);
    machine.epoch(10, 200, 250);
    EXPECT_EQ(machine.uses(once), 0);
}

TEST(PageAges, ARefaultTellsHowOldItsPageWas) {
    AgeingMachine machine;
    machine.epoch(10, 0, 100);
    machine.epoch(3600, 100, 300);
    machine.epoch(3600, 0, 0);
    std::vector<PageKey> gone(100);
    std::iota(gone.begin(), gone.end(), 0);
    machine.epoch(10, 0, 0, gone);
    EXPECT_EQ(machine.resident(), (Resident{{1, 200}})) << "an evicted page is not resident";
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
    AgeingMachine machine;
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
    AgeingMachine machine;
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
    AgeingMachine machine;
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
    AgeingMachine machine;
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
    AgeingMachine machine;
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
    AgeingMachine machine;
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
    constexpr PageKey max_epochs = 512;
    constexpr PageKey nr_epochs = 3 * max_epochs;
    constexpr double length = 8;
    AgeingMachine machine(max_epochs);
    for (PageKey epoch = 0; epoch < nr_epochs; ++epoch)
        machine.epoch(length, epoch, epoch + 1);
    EXPECT_EQ(machine.resident(), (Resident{{1, nr_epochs}}));
    EXPECT_LT(machine.ages.epochs().size(), max_epochs + 1);
    const Seconds age = ReuseTable::start_of(ReuseTable::range_of(Seconds(3600)));
    EXPECT_NEAR(static_cast<double>(machine.resident(age).at(1)) * length, age.count(), 0.02 * age.count())
        << "ages outlive the merging";
}

// A source may find no page for hours.
TEST(PageAges, EpochsWithoutPagesMerge) {
    AgeingMachine machine(4);
    for (int epoch = 0; epoch < 20; ++epoch)
        machine.epoch(10, 0, 0);
    EXPECT_LE(machine.ages.epochs().size(), 4U);
    machine.epoch(10, 0, 5);
    EXPECT_EQ(machine.resident(), (Resident{{1, 5}}));
}

}  // namespace
}  // namespace tmm::core
