// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "command_line.hpp"

#include <gtest/gtest.h>

namespace tmm::desk {
namespace {

Result<CommandLine> parse(const std::vector<const char*>& arguments) {
    return CommandLine::parse(arguments, {"mb", "log"});
}

TEST(CommandLine, TakesValuesBehindABlankOrAnEqualsSign) {
    const auto line = parse({"--mb", "12", "--log=a=b"});
    ASSERT_TRUE(line) << line.error().message();
    EXPECT_EQ(*line->number("mb", 1, 1, 100), 12);
    EXPECT_EQ(line->text("log", ""), "a=b");
    EXPECT_EQ(*line->required("log"), "a=b");
}

TEST(CommandLine, FallsBackToWhatIsGivenOtherwise) {
    const auto line = parse({});
    ASSERT_TRUE(line);
    EXPECT_EQ(*line->number("mb", 7, 1, 100), 7);
    EXPECT_EQ(line->text("log", "none"), "none");
    EXPECT_EQ(line->required("log").error().message(), "--log is missing");
}

TEST(CommandLine, NamesWhatIsWrong) {
    EXPECT_EQ(parse({"12"}).error().message(), "expected an option like --name, found '12'");
    EXPECT_EQ(parse({"--md", "1"}).error().message(), "unknown option '--md'");
    EXPECT_EQ(parse({"--"}).error().message(), "unknown option '--'");
    EXPECT_EQ(parse({"--mb"}).error().message(), "--mb needs a value");
    EXPECT_EQ(parse({"--mb", "1", "--mb=2"}).error().message(), "--mb is given twice");
    EXPECT_EQ(parse({"--log", ""})->required("log").error().message(), "--log is missing");
}

TEST(CommandLine, NumbersMustBeNumbersWithinTheirRange) {
    for (const char* bad : {"", "x", "1x", "0", "101", "-1", "nan", "inf", "1e400"})
        EXPECT_EQ(parse({"--mb", bad})->number("mb", 7, 1, 100).error().message(),
                  std::string("--mb must be a number from 1 to 100, not '") + bad + "'");
}

}  // namespace
}  // namespace tmm::desk
