// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/process/oom_score.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"

namespace tmm {
namespace {

std::string first_line(const TempTree& tree, const std::string& file) {
    const std::string text = tree.text(file);
    return text.substr(0, text.find('\n'));
}

std::string raised_from(const std::string& text) {
    TempTree tree;
    tree.file("oom_score_adj", text);
    EXPECT_TRUE(raise_oom_score(tree.root()));
    return first_line(tree, "oom_score_adj");
}

std::string lowered_from(const std::string& text) {
    TempTree tree;
    tree.file("12/oom_score_adj", text).file("self/oom_score_adj", "200\n");
    EXPECT_TRUE(lower_oom_score(*tree.root().subdir("12"), *tree.root().subdir("self")));
    return first_line(tree, "12/oom_score_adj");
}

TEST(OomScore, IsRaisedAndNeverLowered) {
    EXPECT_EQ(raised_from("0\n"), "900");
    EXPECT_EQ(raised_from("-50\n"), "900");
    EXPECT_EQ(raised_from("300\n"), "900");
    EXPECT_EQ(raised_from("1000\n"), "1000") << "its own choice";
}

TEST(OomScore, IsLoweredOnlyFromThatOfAContribution) {
    EXPECT_EQ(lowered_from("900\n"), "200");
    EXPECT_EQ(lowered_from("1000\n"), "1000");
    EXPECT_EQ(lowered_from("0\n"), "0");
}

TEST(OomScore, WithoutProcItIsAnError) {
    TempTree tree;
    EXPECT_FALSE(raise_oom_score(tree.root()));
    EXPECT_FALSE(lower_oom_score(tree.root(), tree.root()));
}

}  // namespace
}  // namespace tmm
