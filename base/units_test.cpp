// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/units.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace tmm {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(Units, Uint) {
    EXPECT_EQ(parse_uint(" 42\n").value(), 42U);
    EXPECT_EQ(parse_uint("18446744073709551615").value(), UINT64_MAX);
    EXPECT_EQ(parse_uint("18446744073709551616").error().code(), ERANGE);
    for (const char* bad : {"", " ", "-1", "4x", "x", "1 2", "1.5", "0x10"})
        EXPECT_FALSE(parse_uint(bad)) << bad;
}

TEST(Units, Double) {
    EXPECT_DOUBLE_EQ(parse_double("1.05").value(), 1.05);
    EXPECT_DOUBLE_EQ(parse_double("-1e-3").value(), -0.001);
    for (const char* bad : {"", "nan", "inf", "1,5", "1e999", "five"})
        EXPECT_FALSE(parse_double(bad)) << bad;
}

TEST(Units, Bytes) {
    EXPECT_EQ(parse_bytes("0").value(), 0U);
    EXPECT_EQ(parse_bytes("512M").value(), 512ULL << 20);
    EXPECT_EQ(parse_bytes("1.5 GiB").value(), 3ULL << 29);
    EXPECT_EQ(parse_bytes("4kb").value(), 4096U);
    EXPECT_EQ(parse_bytes("10B").value(), 10U);
    EXPECT_EQ(parse_bytes("99999999T").error().code(), ERANGE);
    for (const char* bad : {"", "M", "-1M", "1X", "1MM", "1 M 2", "iB"})
        EXPECT_FALSE(parse_bytes(bad)) << bad;
}

TEST(Units, Duration) {
    EXPECT_EQ(parse_duration("500ms").value(), milliseconds(500));
    EXPECT_EQ(parse_duration("2.5 s").value(), milliseconds(2500));
    EXPECT_EQ(parse_duration("10min").value(), minutes(10));
    EXPECT_EQ(parse_duration("1h").value(), minutes(60));
    EXPECT_EQ(parse_duration("0").value(), seconds(0));
    EXPECT_EQ(parse_duration("9999999999h").error().code(), ERANGE);
    for (const char* bad : {"", "10", "s", "-1s", "1d", "1 s s"})
        EXPECT_FALSE(parse_duration(bad)) << bad;
}

TEST(Units, Bool) {
    EXPECT_TRUE(parse_bool("Yes").value());
    EXPECT_FALSE(parse_bool("off").value());
    EXPECT_FALSE(parse_bool("maybe"));
    EXPECT_FALSE(parse_bool(""));
}

TEST(Units, Format) {
    EXPECT_EQ(format_bytes(10), "10 B");
    EXPECT_EQ(format_bytes(300ULL << 20), "300 MiB");
    EXPECT_EQ(format_bytes((5ULL << 30) + (100ULL << 20)), "5.1 GiB");
    EXPECT_EQ(format_bytes(1000ULL << 20), "1.0 GiB");
    EXPECT_EQ(format_fixed(0.4, 2), "0.40");
    EXPECT_EQ(format_fixed(1e300, 0).size(), 301U);
}

TEST(Units, MessagesQuoteTheTextAndSayWhatIsAskedFor) {
    EXPECT_EQ(parse_bytes("lots").error().message(), "'lots' is not a size in bytes (a number with K, M, G or T)");
    EXPECT_EQ(parse_duration("10").error().message(), "'10' is not a time (a number with ms, s, min or h)");
}

}  // namespace
}  // namespace tmm
