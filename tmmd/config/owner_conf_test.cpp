// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/config/owner_conf.hpp"

#include <gtest/gtest.h>

namespace tmm::config {
namespace {

core::Settings everything() {
    core::Settings settings;
    settings.on = false;
    settings.paused = true;
    settings.paused_until = core::WallTime(std::chrono::microseconds(1'800'000'000'123'456));
    settings.pause_asked = std::chrono::minutes(30);
    settings.caps.max_bytes = Bytes(3'000'000'001);
    settings.caps.max_percent = 12.3;
    settings.caps.only_when_idle = true;
    settings.caps.only_on_mains = true;
    settings.caps.quiet_hours = core::QuietHours{22 * 60, 7 * 60};
    settings.soft = {Bytes(2'000'000'001), {{1000, 200}, {1001, 1}}};
    return settings;
}

TEST(OwnerSettings, AreReadAsTheyWereWritten) {
    for (const core::Settings& settings : {core::Settings{}, everything(), cautious_settings()}) {
        const auto again = parse_settings(format_settings(settings), "owner.conf");
        ASSERT_TRUE(again) << again.error().message();
        EXPECT_EQ(*again, settings);
    }
}

TEST(OwnerSettings, PeopleCanReadThem) {
    EXPECT_NE(format_settings(everything())
                  .find("[Caps]\nMaxBytes=3000000001\nMaxPercent=12.3\nOnlyWhenIdle=yes\nOnlyOnMains=yes\n"
                        "QuietHours=22:00-07:00\n"),
              std::string::npos);
    EXPECT_NE(format_settings(everything()).find("[Soft]\nMaxBytes=2000000001\nWeights=1000:200 1001:1\n"), std::string::npos);
    EXPECT_NE(format_settings({}).find("[Settings]\nOn=yes\nPaused=no\nPausedUntil=none\n"), std::string::npos);
}

TEST(OwnerSettings, APauseBefore1970IsOver) {
    core::Settings settings = everything();
    settings.paused_until = core::WallTime(std::chrono::seconds(-5));
    EXPECT_EQ(parse_settings(format_settings(settings), "owner.conf")->paused_until, core::WallTime{});
}

TEST(OwnerSettings, MistakesNameFileLineAndKey) {
    const auto message = [](const std::string& text) { return parse_settings(text, "o").error().message(); };
    EXPECT_EQ(message("[Settings]\nOn=perhaps\n"), "o:2: On: 'perhaps' is not yes or no");
    EXPECT_EQ(message("[Settings]\nOn=none\n"), "o:2: On: 'none' is not possible");
    EXPECT_EQ(message("[Settings]\nPausedUntil=99999999999999999999\n"), "o:2: PausedUntil: '99999999999999999999' is too large");
    EXPECT_EQ(message("[Settings]\nPausedUntil=18446744073709551615\n"), "o:2: PausedUntil: '18446744073709551615' is too late");
    EXPECT_EQ(message("[Caps]\nMaxPercent=101\n"), "o:2: MaxPercent: '101' is not in the range 0 to 100, or none");
    EXPECT_EQ(message("[Caps]\nMaxGold=1\n"), "o:2: MaxGold: no such key in [Caps]");
    EXPECT_EQ(message("[Settings]\nMaxBytes=1\n"), "o:2: MaxBytes: no such key in [Settings]");
    EXPECT_EQ(message("[Wish]\nOn=yes\n"), "o:2: On: no such section [Wish]");
    const std::string weight = " is no USER:WEIGHT with a weight from 1 to 10000";
    for (const char* const wrong : {"5", "5:", ":5", "5:0", "5:10001", "-1:5", "4294967296:5", "x:5"})
        EXPECT_EQ(message("[Soft]\nWeights=" + std::string(wrong) + "\n"), "o:2: Weights: '" + std::string(wrong) + "'" + weight);
    EXPECT_EQ(message("[Soft]\nOn=yes\n"), "o:2: On: no such key in [Soft]");
    EXPECT_FALSE(parse_settings("rubbish", "o"));
}

TEST(OwnerSettings, AnEmptyFileIsTheDefault) {
    EXPECT_EQ(parse_settings("", "o").value(), core::Settings{});
}

}  // namespace
}  // namespace tmm::config
