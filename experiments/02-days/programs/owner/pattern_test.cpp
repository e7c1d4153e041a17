// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "pattern.hpp"

#include <gtest/gtest.h>

namespace tmm::days {
namespace {

constexpr auto good =
    "[Pattern]\nDescription = x\n[Set a]\nSize = 300 MB + 5%\nBacking = file\nVary = 0.2\n"
    "[Use b]\nSet = a\nWhen = 09:30\nDays = mon-wed sat\nFor = 10 min\nOrder = zipf\nRound = 20 s\nNew = yes\nWaits = no\n";

std::string problem_of(const std::string& text) {
    const auto pattern = parse_pattern(text, "p", "p.ini");
    return pattern ? "" : pattern.error().message();
}

std::string owner_problem_of(const std::string& text) {
    const auto owner = parse_owner(text, "o", "o.ini");
    return owner ? "" : owner.error().message();
}

TEST(PatternTest, ReadsSetsAndUses) {
    const auto pattern = parse_pattern(good, "p", "p.ini");
    ASSERT_TRUE(pattern) << pattern.error().message();
    ASSERT_EQ(pattern->sets.size(), 1U);
    EXPECT_EQ(pattern->sets[0].bytes, 300.0 * (1 << 20));
    EXPECT_DOUBLE_EQ(pattern->sets[0].share_of_memory, 0.05);
    EXPECT_TRUE(pattern->sets[0].file);
    ASSERT_EQ(pattern->uses.size(), 1U);
    const Use& use = pattern->uses[0];
    EXPECT_EQ(use.when, When::clock);
    EXPECT_EQ(use.clock, 9.5 * 3600);
    EXPECT_EQ(use.duration, 600);
    EXPECT_EQ(use.order, Order::zipf);
    EXPECT_TRUE(use.fresh);
    EXPECT_FALSE(use.waits);
    EXPECT_EQ(use.days, (std::array<bool, days_per_week>{true, true, true, false, false, true, false}));
}

TEST(PatternTest, NamesFileLineAndKeyOfWhatIsWrong) {
    const std::string set = "[Set a]\nSize = 1 MB\n";
    EXPECT_NE(problem_of("[Set a]\nSize = much\n").find("p.ini:2: Size: "), std::string::npos);
    EXPECT_NE(problem_of("[Set a]\nSizes = 1 MB\n").find("p.ini:2: Sizes: "), std::string::npos);
    EXPECT_NE(problem_of("[Set a]\nCgroup =\n").find("p.ini:2: Cgroup: "), std::string::npos);
    EXPECT_NE(problem_of(set + "[Use a]\nWhen = teatime\n").find("p.ini:4: When: "), std::string::npos);
    EXPECT_NE(problem_of(set + "[Use a]\nWhen = 25:00\n").find("p.ini:4: When: "), std::string::npos);
    EXPECT_NE(problem_of(set + "[Use a]\nRound = 0 s\n").find("p.ini:4: Round: "), std::string::npos);
    EXPECT_NE(problem_of(set + "[Use a]\nDays = fri-mon\n").find("p.ini:4: Days: "), std::string::npos);
    EXPECT_NE(problem_of(set + "[Use b]\nSet = c\n").find("p.ini:4: Set: there is no [Set c]"), std::string::npos);
    EXPECT_NE(problem_of(set + "[Other]\nKey = 1\n").find("p.ini:4: Key: [Other]"), std::string::npos);
    EXPECT_NE(problem_of("[Set a]\nSize 1 MB\n").find("p.ini:2: "), std::string::npos);
}

TEST(PatternTest, NamesTheSectionThatLacksSomething) {
    EXPECT_NE(problem_of("[Set a]\nVary = 0.1\n[Use a]\nCpu = 1\n").find("p.ini: [Set a] has no Size"), std::string::npos);
    EXPECT_NE(problem_of("[Use a]\nCpu = 1\n").find("p.ini: [Use a] has no Set"), std::string::npos);
    EXPECT_NE(problem_of("[Set a]\nSize = 1 MB\n[Use a]\nFor = 1 s\nRounds = 1\n").find("both"), std::string::npos);
    EXPECT_NE(problem_of("").find("p.ini: "), std::string::npos);
}

TEST(OwnerTest, ReadsPresenceAndPatterns) {
    const auto owner = parse_owner(
        "[Owner]\nLength = 48h\nBreakEvery = 1 h\n[Presence]\nmon-fri = 09:00-12:00 13:00-17:30\n[Patterns]\nbrowser = 1.5\n",
        "o", "o.ini");
    ASSERT_TRUE(owner) << owner.error().message();
    EXPECT_EQ(owner->length, 48 * 3600);
    ASSERT_EQ(owner->presence[4].size(), 2U);
    EXPECT_EQ(owner->presence[4][1].to, 17.5 * 3600);
    EXPECT_TRUE(owner->presence[5].empty());
    ASSERT_EQ(owner->parts.size(), 1U);
    EXPECT_EQ(owner->parts[0].scale, 1.5);
}

TEST(OwnerTest, OfARecordingHasNoPatterns) {
    const auto owner = parse_owner("[Owner]\nRecordedUnit = 64K\n[Presence]\nmon = 00:00-00:30\n", "o", "o.ini");
    ASSERT_TRUE(owner) << owner.error().message();
    EXPECT_EQ(owner->recorded_unit_bytes, 64U << 10);
    EXPECT_TRUE(owner->parts.empty());
}

TEST(OwnerTest, NamesFileLineAndKeyOfWhatIsWrong) {
    EXPECT_NE(owner_problem_of("[Presence]\nmon = 12:00-09:00\n").find("o.ini:2: mon: "), std::string::npos);
    EXPECT_NE(owner_problem_of("[Presence]\nmon = 09:00-12:00 11:00-13:00\n").find("o.ini:2: mon: "), std::string::npos);
    EXPECT_NE(owner_problem_of("[Presence]\nholiday = 09:00-12:00\n").find("o.ini:2: holiday: "), std::string::npos);
    EXPECT_NE(owner_problem_of("[Patterns]\nbrowser = 0\n").find("o.ini:2: browser: "), std::string::npos);
    EXPECT_NE(owner_problem_of("[Owner]\nLength = 1 h\n").find("either [Patterns] or"), std::string::npos);
    EXPECT_NE(owner_problem_of("[Owner]\nRecordedUnit = 64K\n[Patterns]\nbrowser = 1\n").find("either [Patterns] or"),
              std::string::npos);
    EXPECT_NE(owner_problem_of("[Owner]\nRecordedUnit = 5000\n").find("o.ini:2: RecordedUnit: "), std::string::npos);
}

}  // namespace
}  // namespace tmm::days
