// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/bounds/shares.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tmm {
namespace {

using Readers = std::vector<Shares::Reader>;

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
    EXPECT_EQ(shares.ask(attacker), Readers());
    shares.take({attacker, "b"}, 30);
    EXPECT_EQ(shares.ask(attacker), (Readers{{attacker, "a"}, {attacker, "b"}}));
    EXPECT_EQ(shares.ask(attacker), Readers()) << "somebody asks already";
    EXPECT_EQ(shares.ask(owner), Readers());
}

TEST(Shares, ReadAnswersCountNoMore) {
    Shares shares(100, 2);
    shares.take({attacker, "a"}, 100);
    ASSERT_EQ(shares.ask(attacker).size(), 1U);
    shares.learn({attacker, "a"}, 0);
    EXPECT_TRUE(shares.has_left(attacker));
    EXPECT_EQ(shares.unread({attacker, "a"}), 0U);
    EXPECT_EQ(shares.ask(attacker), Readers());
}

TEST(Shares, LaterAnswersMayWaitStill) {
    Shares shares(100, 2);
    shares.take({attacker, "a"}, 60);
    ASSERT_EQ(shares.ask(attacker).size(), 1U);
    shares.take({attacker, "a"}, 100);
    shares.learn({attacker, "a"}, 0);
    EXPECT_FALSE(shares.has_left(attacker));
    EXPECT_EQ(shares.ask(attacker), (Readers{{attacker, "a"}}));
    shares.learn({attacker, "a"}, 0);
    EXPECT_TRUE(shares.has_left(attacker));
}

TEST(Shares, UnreadAnswersCountAsTheyAre) {
    Shares shares(100, 2);
    shares.take({attacker, "a"}, 50);
    ASSERT_EQ(shares.ask(attacker).size(), 1U);
    shares.learn({attacker, "a"}, 5000);
    EXPECT_FALSE(shares.has_left(attacker));
    EXPECT_EQ(shares.ask(attacker), Readers()) << "not without a break";
    EXPECT_EQ(shares.ask_again(), (Readers{{attacker, "a"}}));
    shares.learn({attacker, "a"}, 10);
    EXPECT_TRUE(shares.has_left(attacker));
}

TEST(Shares, ManyReadersAreAskedAboutForSomeHaveLeft) {
    Shares shares(100, 2);
    shares.take({attacker, "a"}, 1);
    shares.take({owner, "o"}, 1);
    EXPECT_EQ(shares.ask_again(), Readers());
    shares.take({owner, "p"}, 1);
    EXPECT_EQ(shares.ask_again(), (Readers{{attacker, "a"}, {owner, "o"}, {owner, "p"}}));
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
