// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// usage_summary.hpp
#include "tray-app/model/usage_summary.hpp"

#include <QCoreApplication>
#include <cmath>

#include "tray-app/model/words/format.hpp"

namespace tmm::tray {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(UsageSummary)
};

quint64 begin_us(Range range, const QDateTime& now) {
    const int hours = range == Range::hour ? 1 : range == Range::day ? 24 : 7 * 24;
    return static_cast<quint64>(qMax<qint64>(0, now.addSecs(-qint64{3600} * hours).toMSecsSinceEpoch())) * 1000;
}

QString in_range(Range range, const QString& in_hour, const QString& in_day, const QString& in_week) {
    return range == Range::hour ? in_hour : range == Range::day ? in_day : in_week;
}

}  // namespace

UsageSummary summarize_cost(Range range, const QList<HistoryRow>& rows, const Snapshot& snapshot, const QDateTime& now,
                            const QLocale& locale) {
    double stalled_s = 0;
    double measured_s = 0;
    quint64 faults = 0;
    for (const HistoryRow& row : rows) {
        if (row.start_us < begin_us(range, now))
            continue;
        faults += row.return_faults;
        if (std::isnan(row.stall))
            continue;
        stalled_s += row.stall * static_cast<double>(row.measured_s);
        measured_s += static_cast<double>(row.measured_s);
    }
    UsageSummary cost;
    cost.figure = format_share(measured_s > 0 ? stalled_s / measured_s : not_known, locale);
    cost.caption = in_range(range, Words::tr("of the last hour your programs waited for memory"),
                            Words::tr("of the last day your programs waited for memory"),
                            Words::tr("of the last week your programs waited for memory"));
    if (snapshot.link != Link::connected)
        return cost;
    const Status& status = snapshot.status;
    cost.lines << Words::tr("In the last minute: %1").arg(format_share(status.measured_stall, locale));
    cost.lines << Words::tr("Expected slowdown: %1").arg(format_share(status.expected_slowdown, locale));
    cost.lines << Words::tr("Page faults after you came back: %1; the last time: %2")
                      .arg(locale.toString(faults), locale.toString(status.last_return_faults));
    if (status.soft_bytes > 0)
        cost.lines << Words::tr("Soft memory, which they give back when others need it: %1")
                          .arg(format_bytes(status.soft_bytes, locale));
    return cost;
}

UsageSummary summarize_donation(Range range, const QList<HistoryRow>& rows, const Snapshot& snapshot, const QDateTime& now,
                                const QLocale& locale) {
    double byte_seconds = rows.isEmpty() ? not_known : 0;
    for (const HistoryRow& row : rows) {
        if (row.start_us >= begin_us(range, now))
            byte_seconds += static_cast<double>(row.transparent_bytes) * static_cast<double>(row.measured_s);
    }
    UsageSummary donation;
    donation.figure = format_gib_hours(byte_seconds, locale);
    donation.caption = in_range(range, Words::tr("donated in the last hour"), Words::tr("donated in the last day"),
                                Words::tr("donated in the last week"));
    if (snapshot.link != Link::connected)
        return donation;
    const Status& status = snapshot.status;
    donation.lines << Words::tr("Given now: %1").arg(format_bytes(status.transparent_bytes, locale));
    donation.lines << Words::tr("Donated since installation: %1").arg(format_gib_hours(status.given_byte_seconds, locale));
    return donation;
}

}  // namespace tmm::tray
