// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/ages/reuse_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tmm::core {
namespace {

constexpr PageKind kind = page_kind(Backing::anonymous, Use::again);
constexpr PageKind used_once = page_kind(Backing::anonymous, Use::once);
constexpr PageKind away = page_kind(Backing::anonymous, Use::away_once);
constexpr PageKind other = page_kind(Backing::file, Use::again);
constexpr Seconds hour{3600};

// Time in which somebody is at the machine.
ReuseTable::Times present(Seconds time) {
    return {.attended = time, .any = time};
}

// Hours in which pages of one kind are at an age, and so many of them are used an hour.
void add_hours(ReuseTable& table, int hours, Seconds age, double pages, double uses_per_hour) {
    for (int i = 0; i < hours; ++i) {
        ReuseTable::ByKind uses{};
        ReuseTable::ByKind known{};
        uses[kind][ReuseTable::range_of(age)] = uses_per_hour;
        known[kind][ReuseTable::range_of(age)] = pages;
        table.add(present(hour), uses, known);
    }
}

TEST(ReuseTable, RangesDoubleInTwoSteps) {
    EXPECT_EQ(ReuseTable::range_of(Seconds(0)), 0U);
    EXPECT_EQ(ReuseTable::range_of(Seconds(29.9)), 0U);
    EXPECT_EQ(ReuseTable::range_of(Seconds(30)), 1U);
    EXPECT_EQ(ReuseTable::range_of(Seconds(43)), 2U);
    EXPECT_EQ(ReuseTable::range_of(Seconds(60)), 3U);
    EXPECT_EQ(ReuseTable::range_of(Seconds(1e12)), ReuseTable::nr_ages - 1);
    for (std::size_t range = 0; range < ReuseTable::nr_ages; ++range)
        EXPECT_EQ(ReuseTable::range_of(ReuseTable::start_of(range)), range);
}

TEST(ReuseTable, EachKindHasTheRangeOfItsTime) {
    const ReuseTable::Times ages{.attended = Seconds(50), .any = Seconds(5000)};
    const auto ranges = ReuseTable::ranges_of(ages);
    for (std::size_t kind = 0; kind < nr_page_kinds; ++kind)
        EXPECT_EQ(ranges[kind], ReuseTable::range_of(ages, static_cast<PageKind>(kind))) << kind;
    EXPECT_NE(ranges[page_kind(Backing::file, Use::away_once)], ranges[page_kind(Backing::file, Use::again)]);
}

TEST(ReuseTable, SpreadsPagesOverTheAgesThatTheyPass) {
    ReuseTable::ByAge pages{};
    ReuseTable::spread(90, Seconds(0), Seconds(90), pages);
    EXPECT_NEAR(pages[0], 30, 1e-9);
    EXPECT_NEAR(pages[1] + pages[2], 30, 1e-9) << "of 30 to 60 s";
    EXPECT_NEAR(pages[3] + pages[4], 30, 1e-9);
    ReuseTable::spread(7, Seconds(20), Seconds(20), pages);
    EXPECT_NEAR(pages[0], 37, 1e-9) << "in no time all are at one age";
    ReuseTable::spread(1, Seconds(0), Seconds(1e12), pages);
    EXPECT_NEAR(pages.back(), 1, 1e-3);
}

TEST(ReuseTable, AnEmptyTableHasThePriorOnly) {
    const auto worth = ReuseTable().worth();
    for (std::size_t range = 1; range < ReuseTable::nr_ages; ++range) {
        EXPECT_LT(worth[kind][range], worth[kind][range - 1]) << "the longer unused, the longer it will be";
        const double age = ReuseTable::start_of(range).count();
        EXPECT_NEAR(worth[kind][range] * age, ReuseTable::prior_uses, 0.2 * ReuseTable::prior_uses);
    }
}

TEST(ReuseTable, TheHazardIsUsesForEachPageSecond) {
    ReuseTable table;
    const auto range = ReuseTable::range_of(Seconds(50));
    for (int i = 0; i < 50; ++i) {
        ReuseTable::ByKind uses{};
        ReuseTable::ByKind known{};
        known[kind].fill(1000);
        uses[kind][range] = 40'000;
        table.add(present(hour), uses, known);
    }
    EXPECT_NEAR(table.uses()[kind][range] / table.exposure()[kind][range], 40.0 / 3600, 1e-9);
    // The prior weighs next to nothing against 50 hours in a range of seconds.
    EXPECT_NEAR(table.worth()[kind][range] * 3600, 40, 1);
}

TEST(ReuseTable, PagesThatAreNotUsedAgainLoseTheirWorth) {
    ReuseTable table;
    const auto range = ReuseTable::range_of(hour);
    const double before = table.worth()[kind][range];
    for (int i = 0; i < 50; ++i) {
        ReuseTable::ByKind known{};
        for (std::size_t age = 0; age < ReuseTable::nr_ages; ++age)
            known[kind][age] = 1000;
        table.add(present(hour), {}, known);
    }
    EXPECT_LT(table.worth()[kind][range], before / 10);
    EXPECT_EQ(table.worth()[other][range], before) << "kinds learn apart";
}

// The use of a set every three hours makes its pages worth keeping all the time before, too.
TEST(ReuseTable, AUseToComeIsSeenFromAfar) {
    ReuseTable table;
    for (int i = 0; i < 10; ++i) {
        ReuseTable::ByKind uses{};
        ReuseTable::ByKind known{};
        for (std::size_t age = 0; age <= ReuseTable::range_of(3 * hour); ++age)
            known[kind][age] = 100 * (ReuseTable::start_of(age + 1) - ReuseTable::start_of(age)) / (3 * hour);
        uses[kind][ReuseTable::range_of(3 * hour)] = 100;
        table.add(present(3 * hour), uses, known);
    }
    const auto worth = table.worth();
    EXPECT_GT(worth[kind][ReuseTable::range_of(hour)] * 3600, 0.2) << "a use in three to four hours";
    EXPECT_GT(worth[kind][ReuseTable::range_of(2 * hour)], worth[kind][ReuseTable::range_of(hour)]) << "and soon";
}

TEST(ReuseTable, OneGroupOfAnySizeIsOneObservation) {
    // Few pages and many that stayed unused for an hour say the same: a group was not used.
    const auto worth_after = [](double pages) {
        ReuseTable table;
        ReuseTable::ByKind known{};
        known[kind].fill(pages);
        table.add(present(hour), {}, known);
        return table.worth()[kind][ReuseTable::range_of(hour)];
    };
    EXPECT_NEAR(worth_after(1000), worth_after(100'000), 1e-3 * worth_after(1000));
    EXPECT_GT(worth_after(100'000), 0.2 * ReuseTable().worth()[kind][ReuseTable::range_of(hour)]);
}

TEST(ReuseTable, TheFirstPagesToComeToAnAgeDoNotSpeakForAll) {
    ReuseTable table;
    const std::size_t before = ReuseTable::range_of(4 * hour);
    for (int minute = 0; minute < 100; ++minute) {
        ReuseTable::ByKind known{};
        known[kind][before] = 50'000;
        table.add(present(Seconds(60)), {}, known);
    }
    const double keep = 1 / (20 * hour.count());
    EXPECT_LT(table.worth()[kind][before], keep);
    // Some programs, a little older than all else, are used again.
    ReuseTable::ByKind uses{};
    ReuseTable::ByKind known{};
    known[kind][before] = 50'000;
    known[kind][before + 1] = 400;
    table.add(present(Seconds(60)), uses, known);
    uses[kind][before + 1] = 400;
    table.add(present(Seconds(60)), uses, known);
    EXPECT_LT(table.worth()[kind][before], keep);
    EXPECT_LT(table.worth()[kind][before + 1], keep);
}

TEST(ReuseTable, OldEvidenceFades) {
    ReuseTable table;
    add_hours(table, 1, hour, 1000, 100);
    const double uses = table.uses()[kind][ReuseTable::range_of(hour)];
    table.add(present(ReuseTable::remembered), {}, {});
    EXPECT_NEAR(table.uses()[kind][ReuseTable::range_of(hour)], uses / std::exp(1), 1e-9);
}

TEST(ReuseTable, TimeWithoutOwnerTeachesNothing) {
    ReuseTable table;
    add_hours(table, 1, hour, 1000, 100);
    const auto before = table.worth();
    ReuseTable::ByKind known{};
    known[kind][3] = 1e6;
    known[away][3] = 1e6;
    table.add({.attended = Seconds(0), .any = hour}, {}, known);
    const auto after = table.worth();
    EXPECT_EQ(after[kind], before[kind]);
    EXPECT_LT(after[away][3], before[away][3]) << "but of what runs without the owner";
}

TEST(ReuseTable, MemoryUsedByNightIsHardlyExpectedToBeUsedAgainUntilSomeWas) {
    ReuseTable table;
    const std::size_t range = ReuseTable::range_of(hour);
    EXPECT_DOUBLE_EQ(table.hazards()[away][range], table.hazards()[used_once][range] * ReuseTable::night_share);
    ReuseTable::ByKind known{};
    known[used_once].fill(1000);
    for (int i = 0; i < 50; ++i)
        table.add(present(hour), {}, known);
    EXPECT_LT(table.worth()[away][range], ReuseTable().worth()[away][range] / 10);
    ReuseTable::ByKind uses{};
    uses[away][range] = 1000;
    known[away][range] = 1000;
    for (int i = 0; i < 50; ++i)
        table.add({.attended = Seconds(0), .any = hour}, uses, known);
    EXPECT_GT(table.worth()[away][range], 100 * table.worth()[used_once][range]) << "then its own uses count";
}

// Services use a little memory now and then, a job has read many files, and nothing of that size has ever been as old.
TEST(ReuseTable, FewPagesOfANightDoNotSpeakForManyThatComeToTheirAge) {
    ReuseTable table;
    const std::size_t range = ReuseTable::range_of(hour);
    ReuseTable::ByKind known{};
    known[used_once].fill(1000);
    for (int i = 0; i < 50; ++i)
        table.add(present(hour), {}, known);
    ReuseTable::ByKind uses{};
    uses[away][range] = 1;
    known = {};
    known[away][range] = 10;
    for (int i = 0; i < 10; ++i)
        table.add({.attended = Seconds(0), .any = hour}, uses, known);
    const auto of_few = table.worth();
    ReuseTable::ByKind now{};
    now[away][0] = 10'000;
    EXPECT_LT(table.worth(now)[away][range], of_few[away][range] / 10);
    EXPECT_EQ(table.worth(now)[used_once], of_few[used_once]) << "memory of the day has odds of its own";
    now = {};
    now[away][range] = 10'000;
    EXPECT_LT(table.worth(now)[away][range], of_few[away][range] / 10) << "those that came to it just now";
    now = {};
    now[used_once][0] = 10'000;
    now[away][range + 1] = 10'000;
    EXPECT_EQ(table.worth(now)[away][range], of_few[away][range]) << "older ones do not come to this age";
    now = {};
    now[away][1] = 10'000;
    known = uses = {};
    known[away][1] = 1000;
    uses[away][1] = 1000 * hour.count();  // each second
    table.add({.attended = Seconds(0), .any = hour}, uses, known);
    EXPECT_NEAR(table.worth(now)[away][range] / table.worth()[away][range], 1, 0.01) << "those that are used before do not come";
}

}  // namespace
}  // namespace tmm::core
