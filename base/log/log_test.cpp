// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/log/log.hpp"

#include <gtest/gtest.h>

namespace tmm {
namespace {

std::string written(bool to_journal, std::string_view message) {
    testing::internal::CaptureStderr();
    Log("program", LogLevel::info, to_journal).error(message);
    return testing::internal::GetCapturedStderr();
}

TEST(Log, AMessageIsOneLineWithItsLevelOrTheProgram) {
    EXPECT_EQ(written(false, "gr\u00fc\u00dfe"), "program: gr\u00fc\u00dfe\n");
    EXPECT_EQ(written(true, "message"), "<3>message\n");
}

TEST(Log, ANameInAMessageNeitherDrivesTheTerminalNorForgesALine) {
    EXPECT_EQ(written(false, "process 5 (\033[2Ja\nb) ended"), "program: process 5 (\\x1b[2Ja\\x0ab) ended\n");
    EXPECT_EQ(written(true, "a\n<0>b"), "<3>a\\x0a<0>b\n");
}

}  // namespace
}  // namespace tmm
