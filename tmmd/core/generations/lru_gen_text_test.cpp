// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/generations/lru_gen_text.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace tmm::core {
namespace {

// As Linux 6.12 writes it, blanks at the ends of lines included.
constexpr const char* example =
    "memcg     1 /\n"
    " node     0\n"
    "          2     305660         12        3456 \n"
    "          3      10020         34           0 \n"
    "memcg    47 /user.slice/a b\n"
    " node     0\n"
    "          7      40010          1           2 \n"
    "          8      30010          3           4 \n"
    "          9      20010          5           6 \n"
    "         10      10010          7           8 \n"
    " node     1\n"
    "          0          5          0           0 \n"
    "          1          5          0           0 \n";

TEST(ParseLruGen, ReadsTheListsOfEachMemcgAndNode) {
    const auto lists = parse_lru_gen(example);
    ASSERT_TRUE(lists) << lists.error().message();
    ASSERT_EQ(lists->size(), 3U);
    EXPECT_EQ((*lists)[0].memcg, 1U);
    EXPECT_EQ((*lists)[0].cgroup, "/");
    EXPECT_EQ((*lists)[0].oldest, 2U);
    EXPECT_EQ((*lists)[0].youngest(), 3U);
    EXPECT_EQ((*lists)[0].pages[0], (PagesByBacking{Pages(12), Pages(3456)}));
    EXPECT_EQ((*lists)[1].memcg, 47U);
    EXPECT_EQ((*lists)[1].cgroup, "/user.slice/a b");
    EXPECT_EQ((*lists)[1].youngest(), 10U);
    EXPECT_EQ((*lists)[1].pages[3], (PagesByBacking{Pages(7), Pages(8)}));
    EXPECT_EQ((*lists)[2].memcg, 47U);
    EXPECT_EQ((*lists)[2].cgroup, "/user.slice/a b");
    EXPECT_EQ((*lists)[2].node, 1U);
    EXPECT_FALSE((*lists)[1].empty());
    EXPECT_TRUE((*lists)[2].empty());
}

TEST(ParseLruGen, AKernelWithoutMemcgsHasNoPath) {
    const auto lists = parse_lru_gen("memcg     0 \n node     0\n 0 1 2 3 \n");
    ASSERT_TRUE(lists);
    EXPECT_EQ((*lists)[0].cgroup, "");
    EXPECT_TRUE(parse_lru_gen("")->empty());
}

TEST(ParseLruGen, NamesTheLineThatIsWrong) {
    const std::string head = "memcg 1 /\n node 0\n";
    for (const std::string& text : std::vector<std::string>{"node 0\n",
                                                            "1 2 3 4\n",
                                                            "memcg x /\n",
                                                            "memcg\n",
                                                            head + "\n",
                                                            "memcg 1 /\n1 2 3 4\n",
                                                            "memcg 1 /\n node\n",
                                                            "memcg 1 /\n node 0 0\n",
                                                            head + "1 2 3\n",
                                                            head + "1 2 3 4 5\n",
                                                            head + "1 2 3 -4\n",
                                                            head + "1 2 3 4x\n",
                                                            head + "1 2 3 99999999999999999999\n",
                                                            head + "1 2 3 4\n3 2 3 4\n",
                                                            head + "1 2 3 4\n1 2 3 4\n",
                                                            head + " node 1\n",
                                                            head + "memcg 2 /a\n",
                                                            head + "1 0 0 0\n2 0 0 0\n3 0 0 0\n4 0 0 0\n5 0 0 0\n",
                                                            head,
                                                            head + "18446744073709551615 0 0 0\n"}) {
        const auto lists = parse_lru_gen(text);
        ASSERT_FALSE(lists) << text;
        EXPECT_EQ(lists.error().code(), EINVAL);
        EXPECT_EQ(lists.error().message().rfind("lru_gen:", 0), 0U) << text;
    }
    EXPECT_NE(parse_lru_gen(head + "1 2 3\n").error().message().find("lru_gen:3:"), std::string::npos);
}

}  // namespace
}  // namespace tmm::core
