// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "recording.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "base/temp_tree.hpp"
#include "fixtures.hpp"
#include "simulation.hpp"

namespace tmm::days {
namespace {

constexpr auto short_owner = "[Owner]\nLength = 600 s\nRecordedUnit = 64K\n[Presence]\nmon = 00:00-00:02 00:05-00:10\n";

Result<Trace> read(const std::string& records) {
    const auto owner = parse_owner(short_owner, "owner", "owner.ini");
    EXPECT_TRUE(owner) << (owner ? "" : owner.error().message());
    TempTree tree;
    tree.file("work.trace", "#tmm-trace 1\n" + records);
    const std::string path = tree.path() / "work.trace";
    trace::TraceReader reader(UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), "work.trace", 1);
    return read_recording(reader, *owner, 1);
}

TEST(RecordingTest, APageIsAUnit) {
    const auto trace = read("1000000,o,r,a,16\n1000000,o,r,b,16\n9000000,o,r,a,16\n");
    ASSERT_TRUE(trace) << trace.error().message();
    EXPECT_EQ(trace->unit_bytes, 64U << 10);
    EXPECT_EQ(trace->nr_units(), 2U);
    ASSERT_EQ(trace->events.size(), 3U);
    EXPECT_EQ(trace->events[2].second, 9U);
    EXPECT_EQ(trace->events[2].unit, trace->events[0].unit);
    EXPECT_TRUE(trace->owner_waits(trace->events[0]));
}

TEST(RecordingTest, TheOwnerIsThereAsTheirFileSays) {
    const auto trace = read("1000000,o,r,a,16\n200000000,o,r,a,16\n");
    ASSERT_TRUE(trace) << trace.error().message();
    EXPECT_EQ(trace->returns, std::vector<std::uint32_t>{300});
    EXPECT_FALSE(trace->owner_waits(trace->events[1]));
}

TEST(RecordingTest, AHugePageIsManyUnits) {
    const auto trace = read("0,o,r,a,512\n0,o,r,b,16\n0,o,r,c,1\n");
    ASSERT_TRUE(trace) << trace.error().message();
    EXPECT_EQ(trace->nr_units(), 32U + 1 + 1);
    EXPECT_EQ(trace->events.size(), 34U);
}

TEST(RecordingTest, APageThatGoesIsAnotherWhenItReturns) {
    const auto trace = read("0,o,r,a,16\n1000000,o,e,a,16\n2000000,o,r,a,16\n3000000,o,f,a,16\n3000000,o,f,b,16\n");
    ASSERT_TRUE(trace) << trace.error().message();
    EXPECT_EQ(trace->nr_units(), 2U);
    ASSERT_EQ(trace->events.size(), 4U);
    EXPECT_EQ(trace->events[1].frees, 1U);
    EXPECT_EQ(trace->events[2].unit, 1U);
}

TEST(RecordingTest, LeavesOutContributionsAndWhatComesAfterTheEnd) {
    const auto trace = read("0,t,r,a,16\n0,o,r,b,16\n600000000,o,r,c,16\n");
    ASSERT_TRUE(trace) << trace.error().message();
    EXPECT_EQ(trace->nr_units(), 1U);
    EXPECT_EQ(trace->seconds, 600U);
}

TEST(RecordingTest, AnEpochIsInUseFromItsBegin) {
    const auto trace = read("4000000,o,r,a,16\n");
    ASSERT_TRUE(trace) << trace.error().message();
    EXPECT_GT(trace->activity[0], 0);
    EXPECT_GT(trace->activity[4], 0);
    EXPECT_EQ(trace->activity[5], 0);
}

TEST(RecordingTest, ASimulationRunsIt) {
    // A loop over four pages, in a memory of three.
    std::string records;
    for (int second = 0; second < 60; ++second)
        records += std::to_string(second) + "000000,o,r," + std::to_string(second % 4) + ",16\n";
    const auto trace = read(records);
    ASSERT_TRUE(trace) << trace.error().message();
    const Machine machine = machine_for(*trace, 3);
    const Outcome outcome = simulate(*trace, machine, *make_system("priority", machine));
    EXPECT_EQ(outcome.misses, 56U * (trace->unit_bytes / page_bytes));
}

TEST(RecordingTest, NamesTheLineThatIsWrong) {
    const auto trace = read("0,o,r,a,16\n0,x,r,a,16\n");
    ASSERT_FALSE(trace);
    EXPECT_NE(trace.error().message().find("work.trace:3: "), std::string::npos) << trace.error().message();
}

}  // namespace
}  // namespace tmm::days
