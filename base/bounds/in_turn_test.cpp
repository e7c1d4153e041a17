// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/bounds/in_turn.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tmm {
namespace {

TEST(InTurn, EachKeyHasAnEqualPart) {
    const std::vector<std::string> things{"a1", "a2", "a3", "b1", "c1", "c2"};
    const auto first_letter = [](const std::string& thing) { return thing[0]; };
    EXPECT_EQ(in_turn(things, first_letter, 5), (std::vector<std::string>{"a1", "b1", "c1", "a2", "c2"}));
    EXPECT_EQ(in_turn(things, first_letter, 9).size(), 6U);
    EXPECT_TRUE(in_turn(std::vector<std::string>(), first_letter, 9).empty());
}

}  // namespace
}  // namespace tmm
