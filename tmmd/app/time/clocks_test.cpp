// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/time/clocks.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace tmm::app {
namespace {

using std::chrono::seconds;

// Sets the zone of this process during its lifetime.
class LocalMinuteTest : public testing::Test {
protected:
    void SetUp() override {
        if (const char* zone = std::getenv("TZ"))
            before_ = zone;
        zone("UTC0");
    }
    void TearDown() override { before_ ? zone(before_->c_str()) : static_cast<void>(::unsetenv("TZ")); }
    static void zone(const char* name) { ::setenv("TZ", name, 1); }

    static core::WallTime at(int hours, int minutes, int s) { return core::WallTime(seconds(hours * 3600 + minutes * 60 + s)); }

    LocalMinute minute_;

private:
    std::optional<std::string> before_;
};

TEST_F(LocalMinuteTest, FollowsTheWallClock) {
    EXPECT_EQ(minute_.at(at(12, 34, 0)), 12U * 60 + 34);
    EXPECT_EQ(minute_.at(at(12, 34, 59)), 12U * 60 + 34);
    EXPECT_EQ(minute_.at(at(12, 35, 0)), 12U * 60 + 35);
    EXPECT_EQ(minute_.at(at(3, 0, 0)), 3U * 60) << "the clock was set back";
}

TEST_F(LocalMinuteTest, AnotherZoneCountsFromTheNextMinuteOn) {
    EXPECT_EQ(minute_.at(at(12, 34, 0)), 12U * 60 + 34);
    zone("EAST-2");
    EXPECT_EQ(minute_.at(at(12, 34, 30)), 12U * 60 + 34) << "the zone is not read each time";
    EXPECT_EQ(minute_.at(at(12, 35, 0)), 14U * 60 + 35);
}

TEST(Clocks, ATimeLapseHoldsUntilItsEnd) {
    const core::AwakeTime machine = Clocks::awake();
    Clocks clocks(TimeLapse(1000));
    const core::Moment lapsed = clocks.read();
    EXPECT_GE(lapsed.awake.time_since_epoch(), machine.time_since_epoch() * 1000);
    clocks.end_time_lapse();
    EXPECT_EQ(clocks.lapse().factor(), 1);
    EXPECT_GE(clocks.read().awake, lapsed.awake);
}

}  // namespace
}  // namespace tmm::app
