// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/bounds/user_time.hpp"

#include <gtest/gtest.h>

namespace tmm {
namespace {

using std::chrono::seconds;

TEST(UserTime, EachUserHasOnesOwn) {
    UserTime time(seconds(5));
    const UserTime::TimePoint start;
    EXPECT_TRUE(time.begin(1000, start));
    EXPECT_TRUE(time.begin(1001, start + seconds(3)));
    EXPECT_TRUE(time.begin(1000, start + seconds(4))) << "2 s are left";
    EXPECT_FALSE(time.begin(1000, start + seconds(8)));
    EXPECT_TRUE(time.begin(1001, start + seconds(8)));
    EXPECT_EQ(time.exceeded(), (std::set<uid_t>{1000}));
}

TEST(UserTime, CountsNoneBetweenThings) {
    UserTime time(seconds(5));
    const UserTime::TimePoint start;
    EXPECT_TRUE(time.begin(1000, start));
    time.end(start + seconds(1));
    EXPECT_TRUE(time.begin(1000, start + seconds(100)));
    time.end(start + seconds(109));
    EXPECT_TRUE(time.begin(0, start + seconds(109)));
    EXPECT_TRUE(time.exceeded().empty()) << "it ended a thing too late, and wanted no other";
}

TEST(UserTime, RootHasAMultiple) {
    UserTime time(seconds(5), 2);
    const UserTime::TimePoint start;
    EXPECT_TRUE(time.begin(0, start));
    EXPECT_TRUE(time.begin(0, start + seconds(9)));
    EXPECT_FALSE(time.begin(0, start + seconds(10)));
}

}  // namespace
}  // namespace tmm
