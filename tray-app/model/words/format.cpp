// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// format.hpp
#include "tray-app/model/words/format.hpp"

#include <QCoreApplication>
#include <cmath>

namespace tmm::tray {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Format)
};

constexpr QChar no_break_space(0x00A0);
constexpr QChar dash(0x2013);

}  // namespace

QString format_bytes(quint64 bytes, const QLocale& locale) {
    // No memory exceeds the largest signed number; the value may be no_limit.
    const auto size = static_cast<qint64>(qMin<quint64>(bytes, std::numeric_limits<qint64>::max()));
    const bool below_gigabyte = size < (qint64{1} << 30);
    QString text = locale.formattedDataSize(size, below_gigabyte ? 0 : 1, QLocale::DataSizeIecFormat);
    return text.replace(u' ', no_break_space);
}

QString format_share(double share, const QLocale& locale) {
    if (std::isnan(share))
        return dash;
    const double percent = 100 * share;
    if (percent > 0 && percent < 0.05)
        return Words::tr("< %1\u00A0%").arg(locale.toString(0.1, 'f', 1));
    return Words::tr("%1\u00A0%").arg(locale.toString(percent, 'f', 1));
}

QString format_gib_hours(double byte_seconds, const QLocale& locale) {
    if (std::isnan(byte_seconds))
        return dash;
    const double gib_hours = byte_seconds / (3600.0 * (1 << 30));
    return Words::tr("%1 GiB hours").arg(locale.toString(gib_hours, 'f', gib_hours < 100 ? 1 : 0));
}

QString format_hours(double seconds, const QLocale& locale) {
    const double hours = seconds / 3600;
    return Words::tr("%1\u00A0h").arg(locale.toString(hours, 'f', hours < 100 ? 1 : 0));
}

QString format_moment(const QDateTime& moment, const QDateTime& now, const QLocale& locale) {
    QString time = locale.toString(moment.time(), QLocale::ShortFormat);
    const qint64 days = now.date().daysTo(moment.date());
    if (days == 0)
        return time;
    if (days == 1)
        return Words::tr("tomorrow, %1").arg(time);
    return Words::tr("%1, %2", "date, time").arg(locale.toString(moment.date(), QLocale::ShortFormat), time);
}

}  // namespace tmm::tray
