// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/quiet_hours.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

constexpr unsigned at(unsigned hours, unsigned minutes) {
    return hours * 60 + minutes;
}

TEST(QuietHours, WithinADay) {
    const QuietHours hours = parse_quiet_hours("09:30-17:00").value();
    EXPECT_FALSE(hours.contains(at(9, 29)));
    EXPECT_TRUE(hours.contains(at(9, 30)));
    EXPECT_TRUE(hours.contains(at(16, 59)));
    EXPECT_FALSE(hours.contains(at(17, 0)));
}

TEST(QuietHours, OverMidnight) {
    const QuietHours hours = parse_quiet_hours("22:00-07:00").value();
    EXPECT_FALSE(hours.contains(at(21, 59)));
    EXPECT_TRUE(hours.contains(at(22, 0)));
    EXPECT_TRUE(hours.contains(at(23, 59)));
    EXPECT_TRUE(hours.contains(0));
    EXPECT_TRUE(hours.contains(at(6, 59)));
    EXPECT_FALSE(hours.contains(at(7, 0)));
}

TEST(QuietHours, UntilMidnight) {
    const QuietHours hours = parse_quiet_hours("22:00-00:00").value();
    EXPECT_TRUE(hours.contains(at(23, 59)));
    EXPECT_FALSE(hours.contains(0));
}

TEST(QuietHours, AreWrittenAsTheyAreRead) {
    for (const std::string text : {"22:00-07:00", "00:00-23:59", "09:05-09:06"})
        EXPECT_EQ(format_quiet_hours(parse_quiet_hours(text).value()), text);
}

TEST(QuietHours, AnythingElseIsAnError) {
    for (const std::string_view text : {"", "22:00", "22:00-", "-07:00", "22-07", "24:00-07:00", "22:60-07:00", "2:00-07:00",
                                        "22:00-07:00-08:00", "22:00 07:00", "+2:00-07:00", " 2:00-07:00x", "22:00--7:00"})
        EXPECT_FALSE(parse_quiet_hours(text)) << text;
    EXPECT_NE(parse_quiet_hours("07:00-07:00").error().message().find("begins when it ends"), std::string::npos);
    EXPECT_NE(parse_quiet_hours("all night").error().message().find("22:00-07:00"), std::string::npos)
        << "the message shows the form";
}

}  // namespace
}  // namespace tmm::core
