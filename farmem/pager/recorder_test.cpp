// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/recorder.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <iterator>
#include <vector>

namespace tmm::far {
namespace {

using std::chrono::microseconds;

constexpr PageNumber gib = PageNumber{1} << 18;

std::vector<RecordedFault> recorded(const std::string& path) {
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto faults = parse_recording(text);
    EXPECT_TRUE(faults) << faults.error().message();
    return faults ? *faults : std::vector<RecordedFault>();
}

TEST(RecorderTest, WritesPlacesButNoAddresses) {
    const std::string path = testing::TempDir() + "far-recorder-test.csv";
    {
        auto recorder = Recorder::create(path, 42);
        ASSERT_TRUE(recorder);
        const TimePoint start{std::chrono::seconds(100)};
        recorder->add(1, 5 * gib + 7, 4711, FaultKind::write, start, start + microseconds(30));
        recorder->add(1, 5 * gib + 8, 4712, FaultKind::read, start + microseconds(10), start + microseconds(20));
        // It happened before the last one.
        recorder->add(2, 5 * gib + 7, 4711, FaultKind::zero, start + microseconds(5), start + microseconds(40));
    }
    const std::vector<RecordedFault> faults = recorded(path);
    ASSERT_EQ(faults.size(), 3U);
    EXPECT_EQ(faults[0], (RecordedFault{0, 0, faults[0].area, 7, FaultKind::write, 30}));
    EXPECT_EQ(faults[1], (RecordedFault{10, 1, faults[0].area, 8, FaultKind::read, 10}));
    EXPECT_EQ(faults[2], (RecordedFault{10, 0, faults[2].area, 7, FaultKind::zero, 35}));
    EXPECT_NE(faults[0].area, faults[2].area) << "another process";
    EXPECT_NE(faults[0].area, 5U);
    std::remove(path.c_str());
}

TEST(RecorderTest, SaysWhereItCannotWrite) {
    EXPECT_FALSE(Recorder::create("/nowhere/faults.csv", 1));
}

}  // namespace
}  // namespace tmm::far
