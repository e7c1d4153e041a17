// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/oom_score.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"

namespace tmm {
namespace {

std::string raised_from(const std::string& text) {
    TempTree tree;
    tree.file("proc/self/oom_score_adj", text);
    EXPECT_TRUE(raise_oom_score(tree.root()));
    const std::string raised = tree.text("proc/self/oom_score_adj");
    return raised.substr(0, raised.find('\n'));
}

TEST(OomScore, IsRaisedAndNeverLowered) {
    EXPECT_EQ(raised_from("0\n"), "900");
    EXPECT_EQ(raised_from("-50\n"), "900");
    EXPECT_EQ(raised_from("300\n"), "900");
    EXPECT_EQ(raised_from("1000\n"), "1000") << "its own choice";
}

TEST(OomScore, WithoutProcItIsAnError) {
    TempTree tree;
    EXPECT_FALSE(raise_oom_score(tree.root()));
}

}  // namespace
}  // namespace tmm
