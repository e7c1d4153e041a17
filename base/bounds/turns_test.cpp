// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/bounds/turns.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <vector>

namespace tmm {
namespace {

class TurnsTest : public testing::Test {
protected:
    bool take(const std::string& sender, uid_t user) {
        return turns_.take(sender, user,
                           [this, sender](const std::optional<Error>& error) { (error ? refused_ : begun_).push_back(sender); });
    }

    Turns turns_{{.max_open_per_user = 2, .max_open = 3, .max_waiting_per_sender = 2, .max_waiting_per_user = 4}};
    std::vector<std::string> begun_;
    std::vector<std::string> refused_;
};

using Senders = std::vector<std::string>;

TEST_F(TurnsTest, ASenderHasOneOpenAndSomeThatWait) {
    EXPECT_TRUE(take("a", 1) && take("a", 1) && take("a", 1));
    EXPECT_FALSE(take("a", 1));
    EXPECT_EQ(begun_, Senders{"a"});
    turns_.done("a", 1);
    EXPECT_EQ(begun_, (Senders{"a", "a"}));
    EXPECT_TRUE(take("a", 1));
}

TEST_F(TurnsTest, AUserHasSomeOpenHoweverManySendersThereAre) {
    EXPECT_TRUE(take("a", 1) && take("b", 1) && take("c", 1));
    EXPECT_EQ(begun_, (Senders{"a", "b"}));
    turns_.done("b", 1);
    EXPECT_EQ(begun_, (Senders{"a", "b", "c"}));
}

TEST_F(TurnsTest, TheFirstOfAUserBeginsAtOnce) {
    for (const char* sender : {"a", "b", "c", "d"})
        take(sender, 1);
    take("e", 2);
    take("f", 2);
    EXPECT_EQ(begun_, (Senders{"a", "b", "e"})) << "three are open in all";
    take("g", 3);
    EXPECT_EQ(begun_.back(), "g");
    EXPECT_EQ(turns_.open(), 4U);
    turns_.done("a", 1);
    turns_.done("b", 1);
    EXPECT_EQ(turns_.open(), 3U);
}

TEST_F(TurnsTest, AUsersFloodLeavesRoomForAnotherSenderOfTheSameUser) {
    for (int i = 0; i < 10; ++i) {
        take("a", 1);
        take("b", 1);
        take("c", 1);
    }
    EXPECT_FALSE(take("a", 1) || take("c", 1));
    EXPECT_TRUE(take("tray", 1));
    for (const char* sender : {"a", "b", "a", "b"})
        turns_.done(sender, 1);
    EXPECT_EQ(begun_, (Senders{"a", "b", "c", "a", "b", "tray"}));
}

TEST_F(TurnsTest, NewSendersWithoutEndAreRefused) {
    int taken = 0;
    for (int i = 0; i < 100; ++i)
        taken += take(std::to_string(i), 1) ? 1 : 0;
    EXPECT_EQ(taken, 2 + 4 * 4);
    EXPECT_TRUE(take("a", 2));
}

TEST_F(TurnsTest, AllOfAUserThatWaitAreRefusedTogether) {
    take("a", 1);
    take("a", 1);
    take("b", 2);
    take("b", 2);
    turns_.refuse(1, Error(EPERM, "polkit does not answer"));
    EXPECT_EQ(refused_, Senders{"a"});
    turns_.done("a", 1);
    turns_.done("a", 1);
    turns_.done("b", 2);
    EXPECT_EQ(begun_, (Senders{"a", "b", "b"}));
    turns_.done("b", 2);
    EXPECT_EQ(turns_.open(), 0U);
}

}  // namespace
}  // namespace tmm
