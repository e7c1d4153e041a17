// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The chart's contents: from rows of the daemon's history to areas, limit lines and axes in the words of a locale. Pure.
//
// What the owner's programs use stands on the floor, contributions hang from the ceiling with their soft memory lowest, and what
// nobody uses is between: so each limit is a line that its class may not cross, and all four stack up to the machine's memory.
#pragma once

#include <QDateTime>
#include <QList>
#include <QLocale>
#include <QString>

#include "tray-app/model/status.hpp"

namespace tmm::tray {

enum class Range { hour, day, week };

// The resolution of the history that a range is drawn from.
Resolution resolution_for(Range range);

// Memory at a time, bytes. opaque + free + soft + transparent is all that was counted: soft memory is taken out of the class that
// it is counted in, contributions first, since that is where it belongs but for few programs.
struct ChartPoint {
    qint64 time_s = 0;
    double opaque = 0;
    double free = 0;
    double soft = 0;
    double transparent = 0;
    double opaque_limit = 0;       // from the floor
    double transparent_limit = 0;  // from the ceiling
};

struct AxisTick {
    double position = 0;  // seconds since 1970, or bytes
    QString label;
};

struct ChartData {
    qint64 from_s = 0;
    qint64 to_s = 0;
    double ceiling = 0;  // bytes
    // Each is without a gap: between two, nothing was measured.
    QList<QList<ChartPoint>> runs;
    QList<AxisTick> time_ticks;
    QList<AxisTick> memory_ticks;
};

// rows: of resolution_for(range). The snapshot is what there is at the moment.
ChartData make_chart(Range range, const QList<HistoryRow>& rows, const Snapshot& snapshot, const QDateTime& now,
                     const QLocale& locale);

// The point nearest to a time; nullptr if nothing was measured near it.
const ChartPoint* nearest_point(const ChartData& chart, qint64 time_s);

// The chart in sentences, for those who do not see it.
QString describe_chart(const ChartData& chart, const QLocale& locale);

// "14:10" or, where a day is not enough, "Mon 14:10".
QString format_chart_time(const ChartData& chart, qint64 time_s, const QLocale& locale);

}  // namespace tmm::tray
