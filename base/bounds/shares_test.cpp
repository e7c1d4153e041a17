// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/bounds/shares.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tmm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr uid_t attacker = 1, owner = 2;

TEST(Shares, AUserWithoutAnyLeftTakesNothingOfOthers) {
    Shares shares(100, 2);
    shares.take({attacker, "a"}, 60);
    EXPECT_TRUE(shares.has_left(attacker));
    shares.take({attacker, "b"}, 1000);
    EXPECT_FALSE(shares.has_left(attacker));
    EXPECT_TRUE(shares.has_left(owner));
    EXPECT_EQ(shares.unread({attacker, "a"}), 60U);
    EXPECT_EQ(shares.unread({attacker, "c"}), 0U);
}

TEST(Shares, AsksOnlyAboutThoseWhoHaveTakenHalf) {
    Shares shares(100, 2);
    shares.take({attacker, "a"}, 20);
    shares.take({owner, "o"}, 49);
    EXPECT_THAT(shares.ask(attacker), IsEmpty());
    shares.take({attacker, "b"}, 30);
    EXPECT_THAT(shares.ask(attacker), ElementsAre(Pair(attacker, "a"), Pair(attacker, "b")));
    EXPECT_THAT(shares.ask(attacker), IsEmpty()) << "somebody asks already";
    EXPECT_THAT(shares.ask(owner), IsEmpty());
}

TEST(Shares, ReadAnswersCountNoMore) {
    Shares shares(100, 2);
    shares.take({attacker, "a"}, 100);
    ASSERT_EQ(shares.ask(attacker).size(), 1U);
    shares.learn({attacker, "a"}, 0);
    EXPECT_TRUE(shares.has_left(attacker));
    EXPECT_EQ(shares.unread({attacker, "a"}), 0U);
    EXPECT_THAT(shares.ask(attacker), IsEmpty());
}

TEST(Shares, LaterAnswersMayWaitStill) {
    Shares shares(100, 2);
    shares.take({attacker, "a"}, 60);
    ASSERT_EQ(shares.ask(attacker).size(), 1U);
    shares.take({attacker, "a"}, 100);
    shares.learn({attacker, "a"}, 0);
    EXPECT_FALSE(shares.has_left(attacker));
    EXPECT_THAT(shares.ask(attacker), ElementsAre(Pair(attacker, "a")));
    shares.learn({attacker, "a"}, 0);
    EXPECT_TRUE(shares.has_left(attacker));
}

TEST(Shares, UnreadAnswersCountAsTheyAre) {
    Shares shares(100, 2);
    shares.take({attacker, "a"}, 50);
    ASSERT_EQ(shares.ask(attacker).size(), 1U);
    shares.learn({attacker, "a"}, 5000);
    EXPECT_FALSE(shares.has_left(attacker));
    EXPECT_THAT(shares.ask(attacker), IsEmpty()) << "not without a break";
    EXPECT_THAT(shares.ask_again(), ElementsAre(Pair(attacker, "a")));
    shares.learn({attacker, "a"}, 10);
    EXPECT_TRUE(shares.has_left(attacker));
}

TEST(Shares, ManyReadersAreAskedAboutForSomeHaveLeft) {
    Shares shares(100, 2);
    shares.take({attacker, "a"}, 1);
    shares.take({owner, "o"}, 1);
    EXPECT_THAT(shares.ask_again(), IsEmpty());
    shares.take({owner, "p"}, 1);
    EXPECT_THAT(shares.ask_again(), ElementsAre(Pair(attacker, "a"), Pair(owner, "o"), Pair(owner, "p")));
}

TEST(Shares, RepliesThatNobodyAskedForChangeNothing) {
    Shares shares(100, 2);
    shares.learn({attacker, "a"}, 1000);
    EXPECT_TRUE(shares.has_left(attacker));
    shares.take({attacker, "a"}, 100);
    shares.learn({attacker, "a"}, 0);
    shares.learn({attacker, "b"}, 0);
    EXPECT_FALSE(shares.has_left(attacker));
}

}  // namespace
}  // namespace tmm
