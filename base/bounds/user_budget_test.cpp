// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/bounds/user_budget.hpp"

#include <gtest/gtest.h>

namespace tmm {
namespace {

TEST(UserBudget, EachUserHasOnesOwn) {
    UserBudget budget(3);
    EXPECT_TRUE(budget.take(1000, 2));
    EXPECT_FALSE(budget.take(1000, 2)) << "all or nothing";
    EXPECT_TRUE(budget.take(1000));
    EXPECT_EQ(budget.left(1000), 0U);
    EXPECT_TRUE(budget.take(1001, 3));
    EXPECT_EQ(budget.exceeded(), (std::set<uid_t>{1000}));
}

TEST(UserBudget, NamesUsersForPeople) {
    EXPECT_EQ(names_of({}), "");
    EXPECT_EQ(names_of({0, 1000}), "user 0, user 1000");
}

TEST(UserBudget, RootHasAMultiple) {
    UserBudget budget(3, 4);
    EXPECT_EQ(budget.left(0), 12U);
    EXPECT_EQ(budget.left(1000), 3U);
}

}  // namespace
}  // namespace tmm
