// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/log/problem_log.hpp"

#include <gtest/gtest.h>

namespace tmm {
namespace {

TEST(ProblemLog, LogsEachProblemOnce) {
    const Log log("test", LogLevel::info, false);
    ProblemLog problems(log);
    testing::internal::CaptureStderr();
    problems.warn("");
    problems.warn("disk full", "; goes on");
    problems.warn("disk full", "; goes on");
    problems.error("disk gone");
    problems.error("");
    problems.warn("disk full");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "test: disk full; goes on\ntest: disk gone\ntest: disk full\n");
}

TEST(ProblemLog, KnowsWhetherThereIsOne) {
    const Log log("test", static_cast<LogLevel>(0), false);
    ProblemLog problems(log);
    EXPECT_FALSE(problems.solve());
    problems.error("disk full", "; goes on");
    EXPECT_EQ(problems.current(), "disk full");
    EXPECT_TRUE(problems.solve());
    EXPECT_EQ(problems.current(), "");
    EXPECT_FALSE(problems.solve());
}

}  // namespace
}  // namespace tmm
