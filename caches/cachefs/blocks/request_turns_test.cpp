// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cachefs/blocks/request_turns.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tmm::caches {
namespace {

constexpr uid_t ann = 1000;
constexpr uid_t bob = 1001;
constexpr uid_t eve = 1002;

using Turns = RequestTurns<std::string>;

TEST(RequestTurns, OneUsersRequestsLeaveRoomForAnother) {
    Turns turns({.max_running_per_user = 2, .max_running = 10, .max_waiting_per_user = 100});
    EXPECT_TRUE(turns.begin(eve));
    EXPECT_TRUE(turns.begin(eve));
    EXPECT_FALSE(turns.begin(eve));
    EXPECT_TRUE(turns.wait(eve, 1, "third"));
    EXPECT_TRUE(turns.begin(ann));
    // The end of another's request does not begin a third one of hers.
    EXPECT_FALSE(turns.finish(ann));
    const auto next = turns.finish(eve);
    ASSERT_TRUE(next);
    EXPECT_EQ(*next, (std::pair{eve, std::string("third")}));
}

TEST(RequestTurns, UsersTakeTurnsBeyondTheBoundInAll) {
    Turns turns({.max_running_per_user = 2, .max_running = 2, .max_waiting_per_user = 100});
    EXPECT_TRUE(turns.begin(eve));
    EXPECT_TRUE(turns.begin(eve));
    for (const char* request : {"eve 1", "eve 2"})
        EXPECT_TRUE(turns.wait(eve, 1, request));
    EXPECT_FALSE(turns.begin(ann));
    EXPECT_TRUE(turns.wait(ann, 1, "ann 1"));
    EXPECT_TRUE(turns.wait(bob, 1, "bob 1"));
    EXPECT_EQ(turns.finish(eve)->second, "eve 1");
    EXPECT_EQ(turns.finish(eve)->second, "ann 1");
    EXPECT_EQ(turns.finish(eve)->second, "bob 1");
    EXPECT_EQ(turns.finish(ann)->second, "eve 2");
    EXPECT_FALSE(turns.finish(bob));
    EXPECT_FALSE(turns.finish(eve));
}

TEST(RequestTurns, WhatWaitsIsBoundedForEachUser) {
    Turns turns({.max_running_per_user = 1, .max_running = 1, .max_waiting_per_user = 10});
    EXPECT_TRUE(turns.begin(eve));
    EXPECT_TRUE(turns.wait(eve, 6, "large"));
    EXPECT_FALSE(turns.wait(eve, 5, "too much"));
    EXPECT_TRUE(turns.wait(ann, 10, "another's"));
    EXPECT_EQ(turns.finish(eve)->second, "large");
    EXPECT_TRUE(turns.wait(eve, 10, "later"));
}

}  // namespace
}  // namespace tmm::caches
