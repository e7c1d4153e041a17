// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/protection/sort_pace.hpp"

#include <gtest/gtest.h>

namespace tmm::core {

namespace {

using std::chrono::hours;
using std::chrono::minutes;
using Cgroups = std::vector<CgroupId>;

TEST(SortPace, HalfTheAgeOfTheOldestPageThatStaysIsThePeriod) {
    SortPace pace;
    const std::vector<CgroupKeeps> kept{{5, Pages(100), hours(4)}};
    EXPECT_EQ(pace.take_due(kept, Seconds(0)), (Cgroups{5})) << "nobody knows how old the kernel's order is";
    EXPECT_EQ(pace.take_due(kept, minutes(119)), Cgroups());
    EXPECT_EQ(pace.take_due(kept, minutes(1)), (Cgroups{5}));
    EXPECT_EQ(pace.take_due(kept, minutes(119)), Cgroups());
}

TEST(SortPace, TimeInWhichNobodyIsThereDoesNotCount) {
    SortPace pace;
    const std::vector<CgroupKeeps> kept{{5, Pages(100), hours(4)}};
    static_cast<void>(pace.take_due(kept, Seconds(0)));
    for (int scan = 0; scan < 1000; ++scan)
        EXPECT_EQ(pace.take_due(kept, Seconds(0)), Cgroups());
}

TEST(SortPace, YoungPagesDoNotMakeItFrequent) {
    SortPace pace;
    const std::vector<CgroupKeeps> kept{{5, Pages(100), Seconds(8)}};
    static_cast<void>(pace.take_due(kept, Seconds(0)));
    EXPECT_EQ(pace.take_due(kept, SortPace::min_period - Seconds(1)), Cgroups());
    EXPECT_EQ(pace.take_due(kept, Seconds(1)), (Cgroups{5}));
}

TEST(SortPace, EachCgroupHasItsOwn) {
    SortPace pace;
    static_cast<void>(pace.take_due(std::vector<CgroupKeeps>{{5, Pages(100), hours(4)}}, Seconds(0)));
    const std::vector<CgroupKeeps> both{{5, Pages(100), hours(4)}, {6, Pages(1), hours(1)}};
    EXPECT_EQ(pace.take_due(both, hours(1)), (Cgroups{6}));
    EXPECT_EQ(pace.take_due(both, hours(1)), (Cgroups{5, 6}));
}

TEST(SortPace, OneThatKeptNothingForAWhileIsSortedAtOnce) {
    SortPace pace;
    const std::vector<CgroupKeeps> kept{{5, Pages(100), hours(4)}};
    static_cast<void>(pace.take_due(kept, Seconds(0)));
    EXPECT_EQ(pace.take_due({}, Seconds(1)), Cgroups());
    EXPECT_EQ(pace.take_due(kept, Seconds(1)), (Cgroups{5}));
}

TEST(SortPace, PagesOfNoKnownCgroupCannotBeSorted) {
    SortPace pace;
    const std::vector<CgroupKeeps> kept{{unknown_cgroup, Pages(100), hours(4)}};
    EXPECT_EQ(pace.take_due(kept, hours(9)), Cgroups());
}

}  // namespace

}  // namespace tmm::core
