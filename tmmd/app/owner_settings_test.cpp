// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/owner_settings.hpp"

#include <gtest/gtest.h>

namespace tmm::app {
namespace {

core::Will everything() {
    core::Will will;
    will.on = false;
    will.paused = true;
    will.paused_until = core::WallTime(std::chrono::microseconds(1'800'000'000'123'456));
    will.pause_asked = std::chrono::minutes(30);
    will.caps.most_bytes = 3'000'000'001;
    will.caps.most_percent = 12.3;
    will.caps.only_when_idle = true;
    will.caps.only_on_mains = true;
    will.caps.quiet_hours = core::QuietHours{22 * 60, 7 * 60};
    return will;
}

TEST(OwnerSettings, AreReadAsTheyWereWritten) {
    for (const core::Will& will : {core::Will{}, everything(), cautious_will()}) {
        const auto again = parse_will(format_will(will), "owner.conf");
        ASSERT_TRUE(again) << again.error().message();
        EXPECT_EQ(*again, will);
    }
}

TEST(OwnerSettings, PeopleCanReadThem) {
    EXPECT_NE(format_will(everything())
                  .find("[Caps]\nMaxBytes=3000000001\nMaxPercent=12.3\nOnlyWhenIdle=yes\nOnlyOnMains=yes\n"
                        "QuietHours=22:00-07:00\n"),
              std::string::npos);
    EXPECT_NE(format_will({}).find("[Will]\nOn=yes\nPaused=no\nPausedUntil=none\n"), std::string::npos);
}

TEST(OwnerSettings, APauseBefore1970IsOver) {
    core::Will will = everything();
    will.paused_until = core::WallTime(std::chrono::seconds(-5));
    EXPECT_EQ(parse_will(format_will(will), "owner.conf")->paused_until, core::WallTime{});
}

TEST(OwnerSettings, MistakesNameFileLineAndKey) {
    const auto message = [](const std::string& text) { return parse_will(text, "o").error().message(); };
    EXPECT_EQ(message("[Will]\nOn=perhaps\n"), "o:2: On: 'perhaps' is not yes or no");
    EXPECT_EQ(message("[Will]\nOn=none\n"), "o:2: On: 'none' is not possible");
    EXPECT_EQ(message("[Will]\nPausedUntil=99999999999999999999\n"), "o:2: PausedUntil: '99999999999999999999' is too large");
    EXPECT_EQ(message("[Will]\nPausedUntil=18446744073709551615\n"), "o:2: PausedUntil: '18446744073709551615' is too late");
    EXPECT_EQ(message("[Caps]\nMaxPercent=101\n"), "o:2: MaxPercent: '101' is not in the range 0 to 100, or none");
    EXPECT_EQ(message("[Caps]\nMaxGold=1\n"), "o:2: MaxGold: no such key in [Caps]");
    EXPECT_EQ(message("[Will]\nMaxBytes=1\n"), "o:2: MaxBytes: no such key in [Will]");
    EXPECT_EQ(message("[Wish]\nOn=yes\n"), "o:2: On: no such section [Wish]");
    EXPECT_FALSE(parse_will("rubbish", "o"));
}

TEST(OwnerSettings, AnEmptyFileIsTheDefault) {
    EXPECT_EQ(parse_will("", "o").value(), core::Will{});
}

}  // namespace
}  // namespace tmm::app
