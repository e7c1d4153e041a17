// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/trace/lackey.hpp"

#include <gtest/gtest.h>

namespace tmm::trace {
namespace {

TEST(Lackey, TheFourKindsOfAccessAreRead) {
    for (const char* line : {"I  0401ab70,3", " L 0401ab70,3", " S 0401ab70,3", " M 0401ab70,3", " M 0401ab70,3\r"}) {
        const auto access = parse_lackey(line);
        ASSERT_TRUE(access) << line;
        ASSERT_TRUE(*access) << line;
        EXPECT_EQ((*access)->first_page, 0x401aU) << line;
        EXPECT_EQ((*access)->last_page, 0x401aU) << line;
    }
}

TEST(Lackey, AnAccessMayCrossPages) {
    const auto access = parse_lackey(" L 1fff000ffc,8").value();
    EXPECT_EQ(access->first_page, 0x1fff000U);
    EXPECT_EQ(access->last_page, 0x1fff001U);
    EXPECT_EQ(parse_lackey(" L ffffffffffffffff,1").value()->last_page, 0xfffffffffffffU);
}

TEST(Lackey, LinesOfValgrindAreNone) {
    EXPECT_FALSE(parse_lackey("==123== Lackey, an example Valgrind tool").value());
    EXPECT_FALSE(parse_lackey("--123-- warning").value());
}

TEST(Lackey, OtherLinesAreErrors) {
    for (const char* line : {"", "\r", "I", "I  ", "I 0401ab70,3", "X  0401ab70,3", " L ,3", " L 0401ab70", " L 0401ab70,",
                             " L 0401ab70,x", " L 0401ab70,0", " L 0401ab70,3 ", " L 0401ab70,65537", " L 11111111111111111,1",
                             " L -1,1", " L ffffffffffffffff,2", "hello"})
        EXPECT_FALSE(parse_lackey(line)) << line;
}

TEST(Lackey, IsRecognised) {
    EXPECT_TRUE(looks_like_lackey("==1== x"));
    EXPECT_TRUE(looks_like_lackey(" S 1,1"));
    EXPECT_FALSE(looks_like_lackey("#tmm-trace 1"));
    EXPECT_FALSE(looks_like_lackey("hello"));
}

}  // namespace
}  // namespace tmm::trace
