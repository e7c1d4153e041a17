// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/history/usage_history.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tmm::core {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
const WallTime midnight(hours(24 * 20'000));

Usage given(double transparent) {
    return {.opaque = 100, .transparent = transparent, .free = 10, .opaque_limit = 200, .transparent_limit = 300};
}

TEST(UsageHistory, ARowHasTheMeanOfItsTime) {
    UsageHistory history;
    history.add(given(10), 0.1, 3, Seconds(20), midnight + seconds(20));
    history.add(given(40), 0.4, 4, Seconds(10), midnight + seconds(30));
    for (const Resolution resolution : {Resolution::minutes, Resolution::hours, Resolution::days}) {
        const auto rows = history.rows(resolution);
        ASSERT_EQ(rows.size(), 1U);
        EXPECT_EQ(rows[0].start, midnight);
        EXPECT_DOUBLE_EQ(rows[0].observed.count(), 30);
        EXPECT_DOUBLE_EQ(rows[0].mean.transparent, 20);
        EXPECT_DOUBLE_EQ(rows[0].mean.opaque, 100);
        EXPECT_DOUBLE_EQ(rows[0].mean.free, 10);
        EXPECT_DOUBLE_EQ(rows[0].mean.opaque_limit, 200);
        EXPECT_DOUBLE_EQ(rows[0].mean.transparent_limit, 300);
        EXPECT_DOUBLE_EQ(rows[0].stall, 0.2);
        EXPECT_EQ(rows[0].faults_after_returns, 7U);
    }
}

TEST(UsageHistory, ASpanIsDividedAmongItsRows) {
    UsageHistory history;
    history.add(given(10), 0, 9, Seconds(120), midnight + seconds(150));
    const auto rows = history.rows(Resolution::minutes);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].start, midnight);
    EXPECT_DOUBLE_EQ(rows[0].observed.count(), 30);
    EXPECT_DOUBLE_EQ(rows[1].observed.count(), 60);
    EXPECT_EQ(rows[2].start, midnight + minutes(2));
    EXPECT_DOUBLE_EQ(rows[2].observed.count(), 30);
    EXPECT_EQ(rows[1].faults_after_returns, 0U);
    EXPECT_EQ(rows[2].faults_after_returns, 9U) << "counted at the end";
}

TEST(UsageHistory, RowsBeginAtWholeMultiples) {
    UsageHistory history;
    history.add(given(1), 0, 0, Seconds(1), midnight + hours(4) + minutes(20) + seconds(7));
    EXPECT_EQ(history.rows(Resolution::minutes)[0].start, midnight + hours(4) + minutes(20));
    EXPECT_EQ(history.rows(Resolution::hours)[0].start, midnight + hours(4) + minutes(15));
    EXPECT_EQ(history.rows(Resolution::days)[0].start, midnight + hours(3));
}

TEST(UsageHistory, ATimeThatNobodyWatchedHasNoRow) {
    UsageHistory history;
    history.add(given(1), 0, 0, Seconds(10), midnight + seconds(10));
    history.add(given(1), 0, 0, Seconds(10), midnight + minutes(10));
    ASSERT_EQ(history.rows(Resolution::minutes).size(), 2U);
    EXPECT_EQ(history.rows(Resolution::minutes)[1].start, midnight + minutes(9));
    history.add(given(1), 0, 0, Seconds(301), midnight + minutes(20));
    history.add(given(1), 0, 0, Seconds(1e300), midnight + minutes(20));
    history.add(given(1), 0, 0, Seconds(0), midnight + minutes(20));
    history.add(given(1), 0, 0, Seconds(-5), midnight + minutes(20));
    EXPECT_EQ(history.rows(Resolution::minutes).size(), 2U);
    EXPECT_DOUBLE_EQ(history.given_byte_seconds(), 20);
}

TEST(UsageHistory, AnUnknownStallStaysOut) {
    UsageHistory history;
    history.add(given(1), unknown, 0, Seconds(10), midnight + seconds(10));
    EXPECT_TRUE(std::isnan(history.rows(Resolution::minutes)[0].stall));
    history.add(given(1), 0.5, 0, Seconds(10), midnight + seconds(20));
    EXPECT_DOUBLE_EQ(history.rows(Resolution::minutes)[0].stall, 0.5);
}

TEST(UsageHistory, MemoryIsBounded) {
    UsageHistory history;
    for (int minute = 0; minute < 60 * 24 * 40; ++minute)
        history.add(given(2), 0, 0, Seconds(60), midnight + minutes(minute + 1));
    for (std::size_t level = 0; level < nr_resolutions; ++level)
        EXPECT_EQ(history.rows(static_cast<Resolution>(level)).size(), resolution_shapes[level].max_rows);
    EXPECT_EQ(history.rows(Resolution::minutes).back().start, midnight + minutes(60 * 24 * 40 - 1));
    EXPECT_EQ(history.rows(Resolution::days).front().start, midnight + hours(24 * 9)) << "31 days of 40";
    EXPECT_DOUBLE_EQ(history.given_byte_seconds(), 2.0 * 60 * 60 * 24 * 40) << "all 40 days";
}

TEST(UsageHistory, AClockSetBackBeginsANewRow) {
    UsageHistory history;
    history.add(given(1), 0, 0, Seconds(10), midnight + hours(1));
    history.add(given(1), 0, 0, Seconds(10), midnight + seconds(10));
    const auto rows = history.rows(Resolution::minutes);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[1].start, midnight);
}

TEST(UsageHistory, AMinuteSeenTwiceIsAMinuteAndCanBeKept) {
    UsageHistory history;
    for (int i = 0; i < 3; ++i)
        history.add(given(1), 0, 0, Seconds(50), midnight + seconds(55));
    EXPECT_DOUBLE_EQ(history.rows(Resolution::minutes)[0].observed.count(), 60);
    EXPECT_DOUBLE_EQ(history.rows(Resolution::minutes)[0].mean.transparent, 1);
    EXPECT_TRUE(UsageHistory().restore_state(history.save_state()));
}

TEST(UsageHistory, BeforeTheYear1970RowsBeginEarlierToo) {
    UsageHistory history;
    history.add(given(1), 0, 0, Seconds(10), WallTime(seconds(-70)));
    EXPECT_EQ(history.rows(Resolution::minutes)[0].start, WallTime(seconds(-120)));
}

TEST(UsageHistory, OutlivesARestart) {
    UsageHistory history;
    for (int i = 0; i < 500; ++i)
        history.add(given(i / 3.0), i % 7 == 0 ? unknown : 0.001 * i, i % 3, Seconds(i % 120), midnight + seconds(100 * i));
    UsageHistory again;
    ASSERT_TRUE(again.restore_state(history.save_state()));
    EXPECT_EQ(again.save_state(), history.save_state());
    EXPECT_DOUBLE_EQ(again.given_byte_seconds(), history.given_byte_seconds());
    EXPECT_EQ(again.rows(Resolution::minutes).size(), history.rows(Resolution::minutes).size());
    // The current row goes on.
    history.add(given(7), 0.5, 1, Seconds(2), midnight + seconds(100 * 499 + 2));
    again.add(given(7), 0.5, 1, Seconds(2), midnight + seconds(100 * 499 + 2));
    EXPECT_EQ(again.save_state(), history.save_state());
}

TEST(UsageHistory, AnEmptyOneIsSavedToo) {
    UsageHistory again;
    EXPECT_TRUE(again.restore_state(UsageHistory().save_state()));
    EXPECT_TRUE(again.restore_state(""));
    EXPECT_TRUE(again.rows(Resolution::days).empty());
}

TEST(UsageHistory, WhatMakesNoSenseIsRefusedWhole) {
    UsageHistory history;
    history.add(given(1), 0, 0, Seconds(10), midnight + seconds(10));
    const std::string before = history.save_state();
    const std::string row = " 1728000000 10 10 1 0 1 1 1 1 1\n";
    EXPECT_TRUE(UsageHistory().restore_state("minutes" + row)) << "the valid row from which the wrong ones differ";
    for (const std::string& text :
         {std::string("rubbish\n"), std::string("given\n"), std::string("given -1\n"), std::string("given 1 2\n"),
          std::string("given inf\n"), std::string("given 1"), "years" + row, "minutes" + row.substr(0, row.size() - 3) + "\n",
          std::string("minutes 1728000000 10 10 1 0 1 1 1 1 1 1\n"), std::string("minutes 1728000001 10 10 1 0 1 1 1 1 1\n"),
          std::string("minutes 1e300 10 10 1 0 1 1 1 1 1\n"), std::string("minutes 1728000000 0 10 1 0 1 1 1 1 1\n"),
          std::string("minutes 1728000000 1e10 10 1 0 1 1 1 1 1\n"), std::string("minutes 1728000000 10 10 11 0 1 1 1 1 1\n"),
          std::string("minutes 1728000000 10 10 1 1e19 1 1 1 1 1\n"), std::string("minutes 1728000000 10 10 1 0 1 1 1 1 1e20\n"),
          std::string("minutes  1728000000 10 10 1 0 1 1 1 1\n"), std::string("\n")}) {
        EXPECT_FALSE(history.restore_state("given 5\n" + text)) << text;
        EXPECT_EQ(history.save_state(), before);
    }
    std::string many;
    for (std::size_t i = 0; i <= resolution_shapes[0].max_rows; ++i)
        many += "minutes" + row;
    EXPECT_EQ(history.restore_state(many).error().message(), "line 121: too many rows");
}

}  // namespace
}  // namespace tmm::core
