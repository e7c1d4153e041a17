// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "options.hpp"

#include <gtest/gtest.h>

namespace tmm::days {
namespace {

Result<Options> parsed(std::vector<std::string> words) {
    words.insert(words.begin(), "owner-days");
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    return parse_options(static_cast<int>(words.size()), arguments.data());
}

TEST(OptionsTest, AMachineHasAsManyUnitsAsTheFewestSamples) {
    const auto options = parsed({"--memory=4G", "o.ini"});
    ASSERT_TRUE(options);
    EXPECT_EQ(options->unit_bytes, 512U << 10);
    EXPECT_EQ(options->owner, "o.ini");
}

TEST(OptionsTest, TakesLists) {
    const auto options = parsed({"--stores=hdd,zram", "--systems", "priority,tmm-paper", "o.ini"});
    ASSERT_TRUE(options);
    EXPECT_EQ(options->stores, (std::vector<std::string>{"hdd", "zram"}));
    EXPECT_EQ(options->systems, (std::vector<std::string>{"priority", "tmm-paper"}));
}

TEST(OptionsTest, TmmMayKeepMemoryForLessThanADay) {
    EXPECT_EQ(parsed({"o.ini"})->break_even, std::nullopt);
    EXPECT_EQ(parsed({"--break-even=10min", "o.ini"})->break_even, std::chrono::minutes(10));
    EXPECT_FALSE(parsed({"--no-contributions", "o.ini"})->contributions);
}

TEST(OptionsTest, ARecordingBringsItsUnits) {
    const auto options = parsed({"--recording=work.trace", "o.ini"});
    ASSERT_TRUE(options);
    EXPECT_EQ(options->recording, "work.trace");
    EXPECT_EQ(options->unit_bytes, 0U);
    EXPECT_FALSE(parsed({"--recording=work.trace", "--unit=64K", "o.ini"}));
}

TEST(OptionsTest, RefusesWhatItDoesNotKnow) {
    EXPECT_FALSE(parsed({}));
    EXPECT_FALSE(parsed({"a.ini", "b.ini"}));
    EXPECT_FALSE(parsed({"--what", "o.ini"}));
    EXPECT_FALSE(parsed({"--memory=none", "o.ini"}));
    EXPECT_FALSE(parsed({"--unit=1000", "o.ini"}));
    EXPECT_FALSE(parsed({"--memory=16M", "--unit=1M", "o.ini"}));
    EXPECT_FALSE(parsed({"--zram-ratio=1", "o.ini"}));
    EXPECT_FALSE(parsed({"--break-even=0", "o.ini"}));
    const auto bad = parsed({"--systems=kernel", "o.ini"});
    ASSERT_FALSE(bad);
    EXPECT_NE(bad.error().message().find("--systems: 'kernel'"), std::string::npos);
}

}  // namespace
}  // namespace tmm::days
