// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Formats numbers for people by a locale. Pure; any thread.
#pragma once

#include <QDateTime>
#include <QLocale>
#include <QString>

namespace tmm::tray {

// Returns "5.1 GiB", as all programs of TMM do.
QString format_bytes(quint64 bytes, const QLocale& locale);

// Returns a share from 0 to 1 as "0.4 %"; a dash for NaN. A share above 0 that would round to 0.0 is "< 0.1 %".
QString format_share(double share, const QLocale& locale);

// Returns byte-seconds as "3.2 GiB hours"; a dash for NaN.
QString format_gib_hours(double byte_seconds, const QLocale& locale);

// Returns a time in seconds as "5.2 h".
QString format_hours(double seconds, const QLocale& locale);

// Returns a future moment: "14:30" for today, "tomorrow, 06:00", else with the date.
QString format_moment(const QDateTime& moment, const QDateTime& now, const QLocale& locale);

}  // namespace tmm::tray
