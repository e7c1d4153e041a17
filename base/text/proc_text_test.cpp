// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text/proc_text.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

namespace tmm {
namespace {

TEST(ProcText, LinesEndAtALineEndOrAtTheEnd) {
    std::string_view text = "one\n\ntwo";
    EXPECT_EQ(next_line(text), "one");
    EXPECT_EQ(next_line(text), "");
    EXPECT_EQ(next_line(text), "two");
    EXPECT_TRUE(text.empty());
    EXPECT_EQ(next_line(text), "");
}

TEST(ProcText, BlanksAndTabsDivideWords) {
    std::string_view line = " \tone  two\t";
    EXPECT_EQ(next_word(line), "one");
    EXPECT_EQ(next_word(line), "two");
    EXPECT_EQ(next_word(line), "");
    EXPECT_TRUE(line.empty());
}

TEST(ProcText, AStatIsFoundByItsWholeName) {
    EXPECT_EQ(parse_stat("pgmajfault_x 1\nx_pgmajfault 2\npgmajfault 3\n", "pgmajfault").value(), 3U);
    EXPECT_EQ(parse_stat("pgfault 1\n", "pgmajfault").error().code(), ENODATA);
    for (const char* bad : {"", "a", "a ", "a b\n", "a -1\n", "a 99999999999999999999\n", "a 1 2\n"})
        EXPECT_FALSE(parse_stat(bad, "a")) << bad;
}

TEST(Meminfo, MalformedTextIsAnError) {
    for (const char* bad : {"", "MemFree: 1 kB\n", "NotMemTotal: 5 kB\n", "MemTotal:\n", "MemTotal: many kB\n", "MemTotal 5 kB\n",
                            "MemTotalHigh: 5 kB\n", "MemTotal: 99999999999999999999 kB\n", "MemTotal: 5 kilo", "MemTotal:"})
        EXPECT_FALSE(parse_meminfo_bytes(bad, "MemTotal")) << bad;
    EXPECT_EQ(parse_meminfo_bytes("MemFree: 1 kB\n", "Zswap").error().code(), ENOENT);
}

TEST(Meminfo, FindsItsLineAmongOthers) {
    EXPECT_EQ(parse_meminfo_bytes("MemTotal: 7 kB\nZswap:   5 kB\nZswapped: 9 kB\n", "Zswap").value(), 5U * 1024);
}

TEST(Pressure, TheLineIsChosenByItsKind) {
    constexpr const char* pressure =
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=56\n";
    EXPECT_EQ(parse_pressure_us(pressure, "some").value(), 1234U);
    EXPECT_EQ(parse_pressure_us(pressure, "full").value(), 56U);
    for (const char* bad : {"", "some\n", "full total=1", "some avg10=0.00", "some total=", "some total=x", "some total=-1\n",
                            "some total=99999999999999999999\n", "something total=1"})
        EXPECT_FALSE(parse_pressure_us(bad, "some")) << bad;
}

TEST(ProcText, PathsAreOneWord) {
    const std::string odd = "a b\t\n\\x2d\x7f\xc3\xa4";
    EXPECT_EQ(escape_path(odd), "a\\040b\\011\\012\\134x2d\\177\xc3\xa4");
    EXPECT_EQ(unescape_path(escape_path(odd)).value(), odd);
    for (const char* wrong : {"\\", "\\04", "\\480", "\\x2d"})
        EXPECT_EQ(unescape_path(wrong).error().code(), EINVAL) << wrong;
}

}  // namespace
}  // namespace tmm
