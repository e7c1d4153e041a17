// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "softlib/detail/reuse_watch.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "coordinate/records.hpp"
#include "softlib/cache.hpp"
#include "src/reuse/counted_time.hpp"
#include "tests/mebibyte.hpp"

namespace soft::detail {
namespace {

using namespace std::chrono_literals;

// Returns how many uses are told.
int use_all(ReuseWatch& watch, std::uint64_t keys) {
    int told = 0;
    for (std::uint64_t key = 0; key < keys; ++key) {
        if (watch.watches(key)) {
            watch.used(key, mebibyte);
            ++told;
        }
    }
    return told;
}

coordinate::report report_of(ReuseWatch& watch, std::chrono::nanoseconds elapsed) {
    coordinate::report report{};
    watch.fill(report, elapsed);
    return report;
}

double rates_of(const coordinate::report& report) {
    return std::accumulate(std::begin(report.reuses_per_s), std::end(report.reuses_per_s), 0.0);
}

TEST(ReuseWatchTest, WatchesNothingUntilSomebodyAsks) {
    ReuseWatch watch;
    EXPECT_EQ(use_all(watch, 100), 0);
    watch.rebuilt(1s);
    watch.begin();
    EXPECT_EQ(use_all(watch, 100), 100);
    EXPECT_EQ(report_of(watch, 1s).rebuild_ns, 0U);
    watch.end();
    EXPECT_EQ(use_all(watch, 100), 0);
    EXPECT_EQ(report_of(watch, 1s).footprint_bytes, 0U);
}

TEST(ReuseWatchTest, RatesArePerSecondOfOtherWork) {
    ReuseWatch watch;
    watch.begin();
    use_all(watch, 100);
    use_all(watch, 100);
    for (int i = 0; i < 5; ++i) {
        watch.rebuilt(100ms);
    }
    auto report = report_of(watch, 1s);
    EXPECT_NEAR(rates_of(report), 200, 0.1) << "half a second is rebuilding";
    EXPECT_NEAR(report.first_uses_per_s, 200, 0.1);
    EXPECT_NEAR(static_cast<double>(report.rebuild_ns), 1e8, 10);
    EXPECT_NEAR(report.misses_per_s, 10, 0.1);
    EXPECT_EQ(report.footprint_bytes, 100 * mebibyte);

    watch.begin();
    use_all(watch, 100);
    watch.rebuilt(5s);
    EXPECT_NEAR(report_of(watch, 1s).first_uses_per_s, 800, 0.1) << "threads rebuild at the same time";
}

TEST(ReuseWatchTest, CostsAge) {
    ReuseWatch watch;
    watch.begin();
    watch.rebuilt(100ms);
    report_of(watch, 1s);
    report_of(watch, 15s);
    watch.rebuilt(10ms);
    // A rebuild of 100 ms counts half as much.
    EXPECT_NEAR(static_cast<double>(report_of(watch, 1s).rebuild_ns), 1e6 * (0.4774 * 100 + 10) / 1.4774, 1e5);
}

TEST(ReuseWatchTest, TheTimeFromAMissToThePutIsACost) {
    ReuseWatch watch;
    watch.begin();
    watch.missed(7);
    watch.put(8, 100);
    EXPECT_EQ(report_of(watch, 1s).rebuild_ns, 0U) << "another key";
    watch.missed(7);
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < 1us) {
    }
    watch.put(7, 100);
    EXPECT_GE(report_of(watch, 1s).rebuild_ns, 1000U);
}

TEST(ReuseWatchTest, TheTimeToThePutCountsOnce) {
    ReuseWatch watch;
    watch.begin();
    watch.missed(7);
    counted_time() += 1h;  // of rebuilds meanwhile
    watch.put(7, 100);
    EXPECT_EQ(report_of(watch, 1s).rebuild_ns, 0U);

    const auto before = counted_time();
    watch.missed(8);
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < 1us) {
    }
    watch.put(8, 100);
    EXPECT_GE(counted_time() - before, 1us) << "a value that is made around it does not count that again";
}

TEST(ReuseWatchTest, AProgramMaySayWhatAValueTook) {
    ReuseWatch watch;
    watch.put(7, 100, 5ms);
    watch.begin();
    watch.missed(7);
    watch.put(7, 100, 5ms);
    watch.put(8, 100, -1ms);
    watch.put(7, 100);
    const auto report = report_of(watch, 1s);
    EXPECT_NEAR(static_cast<double>(report.rebuild_ns), 2.5e6, 1) << "of two misses";
    EXPECT_EQ(report.footprint_bytes, 200U);
}

TEST(ReuseWatchTest, WatchesFewerWhereUsesAreMany) {
    ReuseWatch watch;
    watch.begin();
    for (int i = 0; i < 1000; ++i) {
        use_all(watch, 100);
    }
    EXPECT_EQ(use_all(watch, 100), 16);
}

TEST(ReuseWatchTest, NumbersStayWithinWhatTmmdTakes) {
    ReuseWatch watch;
    watch.begin();
    watch.used(1, SIZE_MAX);
    watch.used(2, SIZE_MAX);
    watch.used(1, SIZE_MAX);
    watch.rebuilt(10000h);
    const auto report = report_of(watch, 1ns);
    EXPECT_LE(report.footprint_bytes, std::uint64_t{1} << 50);
    EXPECT_LE(report.rebuild_ns, 3600'000'000'000U);
    EXPECT_LE(rates_of(report), 1e12);
}

}  // namespace
}  // namespace soft::detail
