// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// chart_data.hpp
#include "tray-app/model/chart_data.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "tray-app/model/words/format.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Chart)
};

constexpr qint64 minute_s = 60;
constexpr qint64 hour_s = 3600;
constexpr qint64 day_s = 24 * hour_s;

qint64 range_length_s(Range range) {
    switch (range) {
        case Range::hour:
            return hour_s;
        case Range::day:
            return day_s;
        case Range::week:
            break;
    }
    return 7 * day_s;
}

qint64 row_length_s(Resolution resolution) {
    switch (resolution) {
        case Resolution::minutes:
            return minute_s;
        case Resolution::hours:
            return 15 * minute_s;
        case Resolution::days:
            break;
    }
    return 3 * hour_s;
}

struct TimedPoint {
    qint64 begin_s;
    qint64 end_s;
    ChartPoint point;
};

ChartPoint make_point(qint64 time_s, quint64 opaque, quint64 transparent, quint64 free) {
    ChartPoint point;
    point.time_s = time_s;
    point.opaque = static_cast<double>(opaque);
    point.transparent = static_cast<double>(transparent);
    point.free = static_cast<double>(free);
    return point;
}

double sum(const ChartPoint& point) {
    return point.opaque + point.free + point.transparent;
}

TimedPoint make_timed_point(const HistoryRow& row, Resolution resolution) {
    const auto begin = static_cast<qint64>(row.start_us / 1'000'000);
    const qint64 length = row_length_s(resolution);
    TimedPoint timed{begin, begin + length,
                     make_point(begin + length / 2, row.opaque_bytes, row.transparent_bytes, row.free_bytes)};
    timed.point.opaque_limit = static_cast<double>(row.opaque_limit_bytes);
    timed.point.transparent_limit = static_cast<double>(row.transparent_limit_bytes);
    return timed;
}

void append_now(QList<TimedPoint>& points, const Status& status, qint64 now_s) {
    // The last row may still be growing: it ends now.
    if (!points.isEmpty() && points.last().end_s > now_s) {
        TimedPoint& last = points.last();
        last.end_s = now_s;
        last.point.time_s = std::min(last.point.time_s, now_s);
    }
    TimedPoint now{now_s, now_s, make_point(now_s, status.opaque_bytes, status.transparent_bytes, status.free_bytes)};
    const auto total = static_cast<double>(status.total_bytes);
    now.point.opaque_limit = std::min(total, static_cast<double>(status.opaque_limit_bytes));
    now.point.transparent_limit = std::min(total, static_cast<double>(status.transparent_limit_bytes));
    points << now;
}

QList<QList<ChartPoint>> split_at_gaps(const QList<TimedPoint>& points, qint64 from_s) {
    QList<QList<ChartPoint>> runs;
    qint64 end_s = std::numeric_limits<qint64>::min();
    for (const TimedPoint& timed : points) {
        if (timed.end_s < from_s)
            continue;
        // Allow half a minute: rows begin on full minutes, measurements a little later.
        if (runs.isEmpty() || timed.begin_s > end_s + minute_s / 2 + (timed.end_s == timed.begin_s ? minute_s : 0))
            runs << QList<ChartPoint>();
        runs.last() << timed.point;
        end_s = timed.end_s;
    }
    return runs;
}

QList<AxisTick> make_time_ticks(Range range, qint64 from_s, qint64 to_s, const QLocale& locale) {
    const qint64 step = range == Range::hour ? 10 * minute_s : range == Range::day ? 4 * hour_s : day_s;
    const auto begin = QDateTime::fromSecsSinceEpoch(from_s);
    QList<AxisTick> ticks;
    // Count from local midnight: labels stay round in time zones whose offset is not a whole hour.
    for (QDateTime tick = begin.date().startOfDay(); tick.toSecsSinceEpoch() <= to_s;
         tick = range == Range::week ? tick.addDays(1) : tick.addSecs(step)) {
        if (tick.toSecsSinceEpoch() < from_s)
            continue;
        const QString label = range == Range::week ? locale.dayName(tick.date().dayOfWeek(), QLocale::ShortFormat)
                                                   : locale.toString(tick.time(), QLocale::ShortFormat);
        ticks << AxisTick{static_cast<double>(tick.toSecsSinceEpoch()), label};
    }
    return ticks;
}

QList<AxisTick> make_memory_ticks(double ceiling, const QLocale& locale) {
    QList<AxisTick> ticks;
    if (ceiling <= 0)
        return ticks;
    constexpr double max_steps = 4;
    const double step = std::exp2(std::ceil(std::log2(ceiling / max_steps)));
    const int nr_steps = static_cast<int>(ceiling / step);
    for (int i = 0; i <= nr_steps; ++i) {
        const double bytes = i * step;
        QString label = bytes == 0 ? u"0"_s : format_bytes(static_cast<quint64>(bytes), locale);
        // Steps are powers of two, so ".0" adds nothing.
        label.remove(locale.decimalPoint() + u'0');
        ticks << AxisTick{bytes, label};
    }
    return ticks;
}

}  // namespace

Resolution resolution_for(Range range) {
    switch (range) {
        case Range::hour:
            return Resolution::minutes;
        case Range::day:
            return Resolution::hours;
        case Range::week:
            break;
    }
    return Resolution::days;
}

ChartData make_chart(Range range, const QList<HistoryRow>& rows, const Snapshot& snapshot, const QDateTime& now,
                     const QLocale& locale) {
    ChartData chart;
    chart.to_s = now.toSecsSinceEpoch();
    chart.from_s = chart.to_s - range_length_s(range);
    QList<TimedPoint> points;
    for (const HistoryRow& row : rows)
        points << make_timed_point(row, resolution_for(range));
    if (snapshot.link == Link::connected && snapshot.status.total_bytes > 0) {
        append_now(points, snapshot.status, chart.to_s);
        chart.ceiling = static_cast<double>(snapshot.status.total_bytes);
    }
    chart.runs = split_at_gaps(points, chart.from_s);
    for (const QList<ChartPoint>& run : chart.runs) {
        for (const ChartPoint& point : run)
            chart.ceiling = std::max(chart.ceiling, sum(point));
    }
    chart.time_ticks = make_time_ticks(range, chart.from_s, chart.to_s, locale);
    chart.memory_ticks = make_memory_ticks(chart.ceiling, locale);
    return chart;
}

const ChartPoint* nearest_point(const ChartData& chart, qint64 time_s) {
    const ChartPoint* nearest = nullptr;
    const qint64 max_distance_s = (chart.to_s - chart.from_s) / 20;
    qint64 best = max_distance_s;
    for (const QList<ChartPoint>& run : chart.runs) {
        for (const ChartPoint& point : run) {
            const qint64 distance = std::abs(point.time_s - time_s);
            if (distance <= best) {
                best = distance;
                nearest = &point;
            }
        }
    }
    return nearest;
}

QString describe_chart(const ChartData& chart, const QLocale& locale) {
    if (chart.runs.isEmpty())
        return Words::tr("Nothing was measured in this time.");
    const ChartPoint& last = chart.runs.last().last();
    const auto bytes = [&](double value) { return format_bytes(static_cast<quint64>(value), locale); };
    double max_given = 0;
    for (const QList<ChartPoint>& run : chart.runs) {
        for (const ChartPoint& point : run)
            max_given = std::max(max_given, point.transparent);
    }
    return Words::tr("At %1 your programs used %2, contributions %3; %4 was free. At most %5 was given in this time.")
        .arg(format_chart_time(chart, last.time_s, locale), bytes(last.opaque), bytes(last.transparent), bytes(last.free),
             bytes(max_given));
}

QString format_chart_time(const ChartData& chart, qint64 time_s, const QLocale& locale) {
    const auto time = QDateTime::fromSecsSinceEpoch(time_s);
    QString clock = locale.toString(time.time(), QLocale::ShortFormat);
    if (chart.to_s - chart.from_s <= hour_s)
        return clock;
    return locale.dayName(time.date().dayOfWeek(), QLocale::ShortFormat) + u' ' + clock;
}

}  // namespace tmm::tray
