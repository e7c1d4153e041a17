// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/ages/arrivals.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

SampledPage page_of(CgroupId cgroup, Backing backing = Backing::file) {
    return {.key = 1, .weight = 10, .backing = backing, .cgroup = cgroup};
}

TEST(Arrivals, HalfOfACgroupSpeaksForAllOfIt) {
    for (const double returned : {9.0, 10.0}) {
        Arrivals arrivals;
        arrivals.add_new(page_of(1));
        arrivals.add_new(page_of(1));
        arrivals.add_new(page_of(2));
        arrivals.add_returned({0, returned});
        arrivals.add_returned(1, Backing::file, returned);
        arrivals.find_returned();
        EXPECT_EQ(arrivals.are_returned(page_of(1)), returned == 10);
        EXPECT_FALSE(arrivals.are_returned(page_of(2)));
    }
}

TEST(Arrivals, PagesMayComeBackToOtherCgroups) {
    Arrivals arrivals;
    arrivals.add_new(page_of(1));
    arrivals.add_new(page_of(2));
    arrivals.add_new(page_of(3));
    arrivals.add_returned({0, 20});
    arrivals.add_returned(1, Backing::file, 10);
    arrivals.add_returned(9, Backing::file, 10);  // has ended
    arrivals.find_returned();
    EXPECT_TRUE(arrivals.are_returned(page_of(1)));
    EXPECT_TRUE(arrivals.are_returned(page_of(2))) << "ten of the twenty that are left";
    EXPECT_TRUE(arrivals.are_returned(page_of(3)));
}

TEST(Arrivals, BackingsAreToldApart) {
    Arrivals arrivals;
    arrivals.add_new(page_of(1));
    arrivals.add_new(page_of(1, Backing::anonymous));
    arrivals.add_returned({10, 0});
    arrivals.add_returned(1, Backing::anonymous, 10);
    arrivals.find_returned();
    EXPECT_TRUE(arrivals.are_returned(page_of(1, Backing::anonymous)));
    EXPECT_FALSE(arrivals.are_returned(page_of(1)));
}

TEST(Arrivals, NothingComesBackUnasked) {
    Arrivals arrivals;
    arrivals.find_returned();
    EXPECT_FALSE(arrivals.are_returned(page_of(1)));
    arrivals.add_new(page_of(1));
    arrivals.find_returned();
    EXPECT_FALSE(arrivals.are_returned(page_of(1)));
}

}  // namespace
}  // namespace tmm::core
