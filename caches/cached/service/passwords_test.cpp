// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cached/service/passwords.hpp"

#include <gtest/gtest.h>

namespace tmm::caches {
namespace {

TEST(Passwords, MatchUsersOfAFile) {
    const auto passwords = Passwords::parse("one:first\r\n\ntwo:with:colon\n");
    ASSERT_TRUE(passwords);
    EXPECT_TRUE(passwords->are_needed());
    EXPECT_TRUE(passwords->match("one", "first"));
    EXPECT_TRUE(passwords->match("two", "with:colon"));
    EXPECT_FALSE(passwords->match("one", "firsT"));
    EXPECT_FALSE(passwords->match("one", "first "));
    EXPECT_FALSE(passwords->match("", ""));
    EXPECT_FALSE(Passwords().are_needed());
}

TEST(Passwords, RefuseOtherFiles) {
    EXPECT_EQ(Passwords::parse("one:first\nnonsense\n").error().message(), "line 2: not user:password");
    EXPECT_FALSE(Passwords::parse(":password\n"));
    EXPECT_FALSE(Passwords::parse("\n"));
}

}  // namespace
}  // namespace tmm::caches
