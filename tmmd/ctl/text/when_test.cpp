// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/text/when.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tmm::ctl {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

// In a zone that puts its clocks forward, written out so that no zone file is needed: Berlin's rules.
class When : public testing::Test {
protected:
    When() {
        ::setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
        ::tzset();
    }
    static std::time_t at(int year, int month, int day, int hour, int minute) {
        std::tm parts{};
        parts.tm_year = year - 1900;
        parts.tm_mon = month - 1;
        parts.tm_mday = day;
        parts.tm_hour = hour;
        parts.tm_min = minute;
        parts.tm_isdst = -1;
        return std::mktime(&parts);
    }
};

std::string pause_error_of(const std::vector<std::string>& words) {
    const auto span = parse_pause(words, 0);
    return span ? "(none)" : span.error().message();
}

TEST_F(When, SpansAreAdded) {
    EXPECT_EQ(parse_span("30min").value(), minutes(30));
    EXPECT_EQ(parse_span("30 m").value(), minutes(30));
    EXPECT_EQ(parse_span("1h30m").value(), minutes(90));
    EXPECT_EQ(parse_span("1h 30min 5s").value(), seconds(5405));
    EXPECT_EQ(parse_span("1.5h").value(), minutes(90));
    EXPECT_EQ(parse_span("2d").value(), hours(48));
    EXPECT_EQ(parse_span("365d").value(), seconds(31'536'000));
}

TEST_F(When, OtherTextIsNoSpan) {
    for (const char* text : {"", " ", "30", "min", "30 parsecs", "-5min", "1h-30m", "nan h", "1h30", "0x10s", "1e999h"})
        EXPECT_FALSE(parse_span(text)) << text;
    EXPECT_EQ(parse_span("30").error().message(), "'30' is no time: write numbers with s, min, h or d, such as 30min or 1h30min");
    EXPECT_EQ(parse_span("0s").error().message(), "'0s' is not between a second and a year");
    EXPECT_EQ(parse_span("366d").error().message(), "'366d' is not between a second and a year");
    EXPECT_EQ(parse_span("1e300d").error().message(),
              "'1e300d' is no time: write numbers with s, min, h or d, such as 30min or 1h30min");
}

TEST_F(When, PausesEndAfterASpanOrAtATime) {
    const std::time_t evening = at(2026, 11, 21, 22, 30);
    EXPECT_EQ(parse_pause({}, evening).value(), seconds(0));
    EXPECT_EQ(parse_pause({"1h", "30min"}, evening).value(), minutes(90));
    EXPECT_EQ(parse_pause({"until", "23:15"}, evening).value(), minutes(45));
    EXPECT_EQ(parse_pause({"until", "07:00"}, evening).value(), minutes(510));
    EXPECT_EQ(parse_pause({"until", "7:00"}, evening).value(), minutes(510));
    EXPECT_EQ(parse_pause({"until", "22:30"}, evening).value(), hours(24)) << "now is over";
    EXPECT_EQ(parse_pause({"tomorrow"}, evening).value(), minutes(450));
    EXPECT_EQ(parse_pause({"until", "tomorrow"}, at(2026, 11, 22, 0, 30)).value(), minutes(330)) << "after sleep";
    EXPECT_EQ(parse_pause({"tomorrow"}, at(2026, 11, 22, 4, 0)).value(), hours(26));
}

TEST_F(When, PutForwardClocksAreKnown) {
    EXPECT_EQ(parse_pause({"until", "07:00"}, at(2026, 3, 28, 23, 0)).value(), hours(7)) << "a short night";
    EXPECT_EQ(parse_pause({"until", "07:00"}, at(2026, 10, 24, 23, 0)).value(), hours(9)) << "a long one";
}

TEST_F(When, WrongPausesAreNamed) {
    EXPECT_EQ(pause_error_of({"until"}), "'until' needs one time of day, such as 'until 07:00', or 'until tomorrow'");
    EXPECT_EQ(pause_error_of({"until", "07:00", "x"}),
              "'until' needs one time of day, such as 'until 07:00', or 'until tomorrow'");
    for (const char* text : {"24:00", "7", "07:60", "0700", "07:0", "-7:00", "", "noon", "07:00:00"})
        EXPECT_EQ(pause_error_of({"until", text}),
                  "'" + std::string(text) + "' is no time of day: write HH:MM, such as 07:00, or tomorrow");
    EXPECT_NE(pause_error_of({"forever"}), "(none)");
}

TEST_F(When, QuietHoursAreChecked) {
    EXPECT_TRUE(check_quiet_hours("22:00-07:00"));
    for (const char* text : {"", "22:00", "22:00-", "22:00-7:00", "22:00-24:00", "22:00 07:00", "22:00-07:00 ", "aa:bb-cc:dd"})
        EXPECT_FALSE(check_quiet_hours(text)) << text;
    EXPECT_EQ(check_quiet_hours("22:00-22:00").error().message(),
              "'22:00-22:00' end when they begin: for all day, use 'tmmctl off'");
}

TEST_F(When, SpansAreShownInTwoUnits) {
    EXPECT_EQ(format_span(seconds(0)), "0 s");
    EXPECT_EQ(format_span(seconds(-5)), "0 s");
    EXPECT_EQ(format_span(seconds(45)), "45 s");
    EXPECT_EQ(format_span(hours(8) + minutes(12) + seconds(3)), "8 h 12 min");
    EXPECT_EQ(format_span(hours(48) + minutes(5)), "2 d");
    EXPECT_EQ(format_span(hours(50)), "2 d 2 h");
}

TEST_F(When, TimesAreLocal) {
    const auto us = static_cast<std::uint64_t>(at(2026, 11, 21, 22, 41)) * 1'000'000 + 7'500'000;
    EXPECT_EQ(format_clock(us), "22:41:07");
    EXPECT_EQ(format_date(us), "2026-11-21 22:41");
    EXPECT_EQ(format_near(us, at(2026, 11, 21, 3, 0)), "22:41");
    EXPECT_EQ(format_near(us, at(2026, 11, 20, 23, 0)), "2026-11-21 22:41");
}

}  // namespace
}  // namespace tmm::ctl
