// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tray-app/model/chart_data.hpp"

#include <gtest/gtest.h>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

const QLocale german(QLocale::German);
const QDateTime now(QDate(2026, 11, 21), QTime(14, 5, 30));
constexpr double total = 100;

quint64 us(qint64 seconds_ago) {
    return static_cast<quint64>(now.addSecs(-seconds_ago).toSecsSinceEpoch()) * 1'000'000;
}

HistoryRow row(qint64 seconds_ago, quint64 opaque = 40, quint64 transparent = 50) {
    HistoryRow made;
    made.start_us = us(seconds_ago);
    made.measured_s = 60;
    made.opaque_bytes = opaque;
    made.transparent_bytes = transparent;
    made.free_bytes = 100 - opaque - transparent;
    made.opaque_limit_bytes = 45;
    made.transparent_limit_bytes = 55;
    return made;
}

ChartData chart_of(Range range, const QList<HistoryRow>& rows, const Snapshot& snapshot = {}) {
    return make_chart(range, rows, snapshot, now, german);
}

TEST(Chart, AreasAddUpToTheTotal) {
    const ChartData chart = chart_of(Range::hour, {row(120), row(60)});
    ASSERT_EQ(chart.runs.size(), 1);
    const ChartPoint& point = chart.runs[0][0];
    EXPECT_EQ(point.opaque, 40);
    EXPECT_EQ(point.transparent, 50);
    EXPECT_EQ(point.free, 10);
    EXPECT_EQ(point.opaque_limit, 45);
    EXPECT_EQ(chart.ceiling, total);
}

TEST(Chart, TimesWithoutRowsAreGaps) {
    const ChartData chart = chart_of(Range::hour, {row(1200), row(1140), row(600), row(540)});
    ASSERT_EQ(chart.runs.size(), 2);
    EXPECT_EQ(chart.runs[0].size(), 2);
    EXPECT_EQ(chart.runs[1].size(), 2);
}

TEST(Chart, RowsBeforeTheRangeAreLeftOut) {
    const ChartData chart = chart_of(Range::hour, {row(7000), row(60)});
    ASSERT_EQ(chart.runs.size(), 1);
    EXPECT_EQ(chart.runs[0].size(), 1);
}

TEST(Chart, RowsAreAsLongAsTheirResolutionSays) {
    EXPECT_EQ(chart_of(Range::hour, {row(1860), row(960)}).runs.size(), 2);
    EXPECT_EQ(chart_of(Range::day, {row(1860), row(960)}).runs.size(), 1);
    EXPECT_EQ(chart_of(Range::week, {row(6 * 3600), row(3 * 3600)}).runs.size(), 1);
    EXPECT_EQ(chart_of(Range::week, {row(9 * 3600), row(3 * 3600)}).runs.size(), 2);
}

TEST(Chart, EndsWithTheMoment) {
    Snapshot snapshot{Link::connected, {}, {}};
    snapshot.status.total_bytes = 100;
    snapshot.status.opaque_bytes = 30;
    snapshot.status.transparent_bytes = 60;
    snapshot.status.free_bytes = 10;
    const ChartData chart = chart_of(Range::hour, {row(90), row(30)}, snapshot);
    ASSERT_EQ(chart.runs.size(), 1);
    const ChartPoint& last = chart.runs[0].last();
    EXPECT_EQ(last.time_s, now.toSecsSinceEpoch());
    EXPECT_EQ(last.opaque, 30);
    EXPECT_EQ(last.opaque_limit, 100);  // none: the whole machine
    for (qsizetype i = 1; i < chart.runs[0].size(); ++i)
        EXPECT_LE(chart.runs[0][i - 1].time_s, chart.runs[0][i].time_s);
}

TEST(Chart, AxesHaveFewRoundTicks) {
    Snapshot snapshot{Link::connected, {}, {}};
    snapshot.status.total_bytes = 16ULL << 30;
    const ChartData hour = chart_of(Range::hour, {}, snapshot);
    ASSERT_EQ(hour.time_ticks.size(), 6);
    EXPECT_EQ(hour.time_ticks[0].label, u"13:10"_s);
    ASSERT_EQ(hour.memory_ticks.size(), 5);
    EXPECT_EQ(hour.memory_ticks[0].label, u"0"_s);
    EXPECT_EQ(hour.memory_ticks[4].label, u"16\u00A0GiB"_s);
    EXPECT_EQ(chart_of(Range::day, {}).time_ticks.size(), 6);
    const ChartData week = chart_of(Range::week, {});
    ASSERT_EQ(week.time_ticks.size(), 7);
    EXPECT_EQ(week.time_ticks[6].label, german.dayName(6, QLocale::ShortFormat));
}

TEST(Chart, WithoutAnythingIsEmpty) {
    const ChartData chart = chart_of(Range::day, {});
    EXPECT_TRUE(chart.runs.isEmpty());
    EXPECT_TRUE(chart.memory_ticks.isEmpty());
    EXPECT_EQ(nearest_point(chart, now.toSecsSinceEpoch()), nullptr);
    EXPECT_EQ(describe_chart(chart, german), u"Nothing was measured in this time."_s);
}

TEST(NearestPoint, IsNullFarFromAnyMeasurement) {
    const ChartData chart = chart_of(Range::hour, {row(600)});
    ASSERT_NE(nearest_point(chart, now.toSecsSinceEpoch() - 500), nullptr);
    EXPECT_EQ(nearest_point(chart, now.toSecsSinceEpoch() - 3000), nullptr);
}

TEST(DescribeChart, SaysTheLastAndTheMaximum) {
    const ChartData chart = chart_of(Range::hour, {row(120, 10, 80), row(60)});
    EXPECT_EQ(describe_chart(chart, german),
              u"At 14:05 your programs used 40\u00A0Bytes, contributions 50\u00A0Bytes; 10\u00A0Bytes was free. "
              u"At most 80\u00A0Bytes was given in this time."_s);
}

}  // namespace
}  // namespace tmm::tray
