// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers for people, in the words and digits of a locale. Pure.
#pragma once

#include <QDateTime>
#include <QLocale>
#include <QString>

namespace tmm::tray {

// "5.1 GB": powers of 1024, as tmmd's own sentences have them.
QString format_bytes(quint64 bytes, const QLocale& locale);

// A share from 0 to 1 as "0.4 %"; a dash for NaN. Shares that would read as 0.0 without being none are "< 0.1 %".
QString format_share(double share, const QLocale& locale);

// Byte seconds as "3.2 GB hours"; a dash for NaN.
QString format_gigabyte_hours(double byte_seconds, const QLocale& locale);

// A moment that is to come: "14:30" today, "tomorrow, 06:00", else with the date.
QString format_moment(const QDateTime& moment, const QDateTime& now, const QLocale& locale);

}  // namespace tmm::tray
