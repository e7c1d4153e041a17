// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/reporting/timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "base/temp_tree.hpp"

namespace tmm::app {
namespace {

TimelineRow sample_row() {
    TimelineRow row;
    row.step.since_start = std::chrono::milliseconds(1500);
    row.wall = core::WallTime(std::chrono::milliseconds(1'800'000'000'250));
    row.step.usage = {core::Pages(1024), core::Pages(512), core::Pages(256)};
    row.step.decision.kind = core::DecisionKind::measured;
    row.step.decision.refaults_per_s = 2.5;
    row.step.decision.expected_misses_per_s = 0.25;
    row.given.kind = core::GivingKind::giving;
    row.given.opaque_limit = core::Pages(600);
    row.given.transparent_limit = core::Pages(424);
    row.given.reason.code = core::ReasonCode::on_battery;
    row.step.decision.expected_slowdown = 0.004;
    row.step.opaque_faults_per_s = 7;
    row.step.epoch = core::Seconds(2);
    row.step.miss_latency = {0.0001, 0.0025};
    row.step.samples = 99;
    return row;
}

TEST(Timeline, ARowHasAFieldForEachColumn) {
    const std::string header = timeline_header();
    const std::string row = format_row(sample_row(), Bytes(1 << 20));
    EXPECT_EQ(row,
              "1.500,1800000000.250,600.00,424.00,512.00,256.00,1024.00,7.0,2.5,0.25,0.00400,2.000,99,0.1000,2.5000,measured,"
              "giving,\"waits for "
              "mains power\"");
    EXPECT_EQ(std::count(header.begin(), header.end(), ','), std::count(row.begin(), row.end(), ','));
}

TEST(Timeline, IsWholeAfterEachRow) {
    const TempTree tree;
    const std::string path = (tree.path() / "timeline.csv").string();
    auto timeline = Timeline::create(path);
    ASSERT_TRUE(timeline);
    EXPECT_EQ(tree.text("timeline.csv"), timeline_header() + "\n");
    ASSERT_TRUE(timeline->append(sample_row()));
    const std::string text = tree.text("timeline.csv");
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
}

TEST(Timeline, FullDiskIsAnErrorThatNamesTheFile) {
    const auto timeline = Timeline::create("/dev/full");
    ASSERT_FALSE(timeline);
    EXPECT_EQ(timeline.error().message(), "/dev/full: No space left on device");
    EXPECT_EQ(Timeline::create("/nowhere/t.csv").error().code(), ENOENT);
}

}  // namespace
}  // namespace tmm::app
