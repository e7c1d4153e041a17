// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text/utf8.hpp"

#include <gtest/gtest.h>

namespace tmm {
namespace {

TEST(Utf8, CodePointsAreTaken) {
    std::string_view text = "aé€😀";
    EXPECT_EQ(take_code_point(text), U'a');
    EXPECT_EQ(take_code_point(text), U'é');
    EXPECT_EQ(take_code_point(text), U'€');
    EXPECT_EQ(take_code_point(text), U'😀');
    EXPECT_TRUE(text.empty());
}

TEST(Utf8, WhatIsNoneCostsOneByte) {
    // cut off, a lone continuation, overlong, a surrogate, above the last, never valid
    for (const std::string_view bad :
         {"\xE2\x82", "\x80", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"}) {
        std::string_view text = bad;
        EXPECT_FALSE(take_code_point(text));
        EXPECT_EQ(text.size(), bad.size() - 1);
    }
}

TEST(Utf8, WhatATerminalWouldActOnIsEscaped) {
    EXPECT_EQ(printable("a\x1b[2Jb\nc\x7f"), "a\\x1b[2Jb\\x0ac\\x7f");
    EXPECT_EQ(printable("\xC2\x9B"
                        "31m"),
              "\\x9b31m")
        << "the 8-bit form of ESC [";
    EXPECT_EQ(printable("exe\u202Etxt"), "exe\\u202etxt") << "the text after it runs right to left";
    EXPECT_EQ(printable("\xFF\xC3"), "\\xff\\xc3");
    EXPECT_EQ(printable("größer 你好"), "größer 你好");
    EXPECT_EQ(printable(""), "");
}

TEST(Utf8, ColumnsAreThoseOfATerminal) {
    EXPECT_EQ(columns_of("größer"), 6U);
    EXPECT_EQ(columns_of("你好"), 4U);
    EXPECT_EQ(columns_of("e\u0301"), 1U);
    EXPECT_EQ(columns_of(""), 0U);
}

TEST(Utf8, LongTextIsCut) {
    EXPECT_EQ(cut_to_columns("povray", 6), "povray");
    EXPECT_EQ(cut_to_columns("povray", 5), "povr…");
    EXPECT_EQ(cut_to_columns("povray", 1), "…");
    EXPECT_EQ(cut_to_columns("povray", 0), "");
    EXPECT_EQ(cut_to_columns("你好吗", 4), "你…") << "a wide letter is not cut in half";
}

}  // namespace
TEST(Utf8, WhatIsInvisibleIsKnown) {
    for (const char32_t code_point : {0x200B, 0x200D, 0x2060, 0xFEFF})
        EXPECT_TRUE(is_invisible(code_point)) << static_cast<unsigned>(code_point);
    for (const char32_t code_point : {0x20, 0x41, 0x301, 0x1F600})
        EXPECT_FALSE(is_invisible(code_point)) << static_cast<unsigned>(code_point);
}

}  // namespace tmm
