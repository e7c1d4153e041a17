// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/control.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tmm::far {
namespace {

TEST(ControlTest, CommandsComeThrough) {
    for (const std::string& line : std::vector<std::string>{
             "status", "stop a", "limit a 4194304", "record a /tmp/a.csv", "run a-b.c_1 5000000 memory 32 1 none",
             "run a 5000000 memory 0 100 keep,vote", "run a 5000000 memory 0 1 async-read,async-write follow"}) {
        const auto command = parse_command(line);
        ASSERT_TRUE(command) << line;
        EXPECT_EQ(format_command(*command), line);
    }
}

TEST(ControlTest, RefusesOtherText) {
    for (const std::string& line : std::vector<std::string>{"",
                                                            " ",
                                                            "run",
                                                            "run a 5M",
                                                            "run a 5M memory x 1 none",
                                                            "run a 5M memory",
                                                            "run a 5M memory 32",
                                                            "run a 5M memory 1025 1 none",
                                                            "run a 5M memory 32 0 none",
                                                            "run a 5M memory 32 101 none",
                                                            "run a 5M memory 32 1 luck",
                                                            "run a 5M memory 32 1 vote,",
                                                            "run a 5M memory 32 1 none x",
                                                            "record a",
                                                            "limit a 1M",
                                                            "limit a -1",
                                                            "limit a/b 5M",
                                                            "stop",
                                                            "stop a b",
                                                            "status x",
                                                            "limit a 99999999999999999999999",
                                                            "go"})
        EXPECT_FALSE(parse_command(line)) << line;
    EXPECT_FALSE(parse_command("stop " + std::string(64, 'a')));
    EXPECT_TRUE(parse_command("stop " + std::string(63, 'a')));
    EXPECT_FALSE(parse_command(std::string("stop a\0b", 8)));
}

}  // namespace
}  // namespace tmm::far
