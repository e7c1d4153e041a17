// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tray-app/model/words/format.hpp"

#include <gtest/gtest.h>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

const QLocale english(QLocale::English, QLocale::UnitedStates);
const QLocale german(QLocale::German, QLocale::Germany);
constexpr quint64 gigabyte = 1ULL << 30;

TEST(FormatBytes, HasPowersOf1024AndTheLocalesPoint) {
    EXPECT_EQ(format_bytes(51 * gigabyte / 10, english), u"5.1\u00A0GiB"_s);
    EXPECT_EQ(format_bytes(51 * gigabyte / 10, german), u"5,1\u00A0GiB"_s);
    EXPECT_EQ(format_bytes(300 << 20, english), u"300\u00A0MiB"_s);
    EXPECT_EQ(format_bytes(0, english), u"0\u00A0bytes"_s);
}

TEST(FormatBytes, SurvivesNoLimit) {
    EXPECT_TRUE(format_bytes(~0ULL, english).endsWith(u"EiB"_s));
}

TEST(FormatShare, DistinguishesLittleFromNothing) {
    EXPECT_EQ(format_share(0.004, english), u"0.4\u00A0%"_s);
    EXPECT_EQ(format_share(0.004, german), u"0,4\u00A0%"_s);
    EXPECT_EQ(format_share(0.0001, english), u"< 0.1\u00A0%"_s);
    EXPECT_EQ(format_share(0, english), u"0.0\u00A0%"_s);
    EXPECT_EQ(format_share(std::numeric_limits<double>::quiet_NaN(), english), u"–"_s);
}

TEST(FormatGibHours, HasTheGibOfFormatBytes) {
    EXPECT_EQ(format_gib_hours(3.2 * 3600 * static_cast<double>(gigabyte), english), u"3.2 GiB hours"_s);
    EXPECT_EQ(format_gib_hours(1234.0 * 3600 * static_cast<double>(gigabyte), english), u"1,234 GiB hours"_s);
}

TEST(FormatMoment, NamesTheDayOnlyWhereItIsNotToday) {
    const QDateTime now(QDate(2026, 11, 21), QTime(14, 0));
    EXPECT_EQ(format_moment(QDateTime(QDate(2026, 11, 21), QTime(14, 30)), now, german), u"14:30"_s);
    EXPECT_EQ(format_moment(QDateTime(QDate(2026, 11, 22), QTime(6, 0)), now, german), u"tomorrow, 06:00"_s);
    EXPECT_EQ(format_moment(QDateTime(QDate(2026, 12, 24), QTime(6, 0)), now, german), u"24.12.26, 06:00"_s);
}

}  // namespace
}  // namespace tmm::tray
