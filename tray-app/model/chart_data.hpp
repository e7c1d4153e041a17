// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ChartData: converts the daemon's history to areas, limit lines and labelled axes. Pure; any thread.
//
// The owner's programs are drawn from the floor upwards, contributions from the ceiling downwards. Free memory is between them.
// So each limit is one line, and the three areas add up to the machine's memory.
#pragma once

#include <QDateTime>
#include <QList>
#include <QLocale>
#include <QString>

#include "tray-app/model/values/status.hpp"

namespace tmm::tray {

enum class Range { hour, day, week };

// Returns the resolution of the history rows that a chart of this range needs.
Resolution resolution_for(Range range);

// Memory at one time, in bytes. opaque + free + transparent is the total.
struct ChartPoint {
    qint64 time_s = 0;
    double opaque = 0;
    double free = 0;
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
    // Each run has no gap; the daemon measured nothing between two runs.
    QList<QList<ChartPoint>> runs;
    QList<AxisTick> time_ticks;
    QList<AxisTick> memory_ticks;
};

// Returns the chart for the time up to now. rows: history of resolution_for(range), oldest first; snapshot: the present state,
// which becomes the last point if the daemon is connected.
ChartData make_chart(Range range, const QList<HistoryRow>& rows, const Snapshot& snapshot, const QDateTime& now,
                     const QLocale& locale);

// Returns the point nearest to time_s (seconds since 1970); nullptr if none is within a twentieth of the range.
const ChartPoint* nearest_point(const ChartData& chart, qint64 time_s);

// Describes the chart in sentences, for screen readers.
QString describe_chart(const ChartData& chart, const QLocale& locale);

// Formats a time of the chart: "14:10" in a chart of an hour, else "Mon 14:10".
QString format_chart_time(const ChartData& chart, qint64 time_s, const QLocale& locale);

}  // namespace tmm::tray
