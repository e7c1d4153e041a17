// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/order_words.hpp"

#include <gtest/gtest.h>

namespace tmm::boinc {
namespace {

TEST(OrderWords, AreOneForEachOrder) {
    EXPECT_TRUE(words_of({}, {}).empty());
    const TaskId held{"p", "a\n"};
    Orders orders;
    orders.preferences = Preferences{12.5, 30, true};
    orders.suspend = {held};
    orders.stop_for = std::chrono::seconds(120);
    EXPECT_EQ(words_of(orders, {{held, 1U << 30}}),
              (std::vector<std::string>{"limit memory to 12.50 % in use, 30.00 % idle", "suspend a\\x0a, which waits for 1.0 GiB",
                                        "stop all tasks"}));
    orders = {};
    orders.restore_preferences = orders.restore_mode = true;
    orders.resume = {{"p", "b"}, {"p", "c"}};
    EXPECT_EQ(words_of(orders, {}),
              (std::vector<std::string>{"bring the user's preferences back", "resume b", "resume c", "let tasks run again"}));
}

}  // namespace
}  // namespace tmm::boinc
