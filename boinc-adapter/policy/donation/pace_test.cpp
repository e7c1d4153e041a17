// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/donation/pace.hpp"

#include <gtest/gtest.h>

#include "boinc-adapter/policy/tasks/test_sizes.hpp"

namespace tmm::boinc {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class PaceTest : public testing::Test {
protected:
    bool tick(bool is_quiet = true) {
        now_ += pace.interval();
        return pace.wants_turn(is_quiet, sight, now_);
    }
    void come_to_rest() {
        for (int turn = 0; turn < Pace::min_quiet_turns; ++turn)
            ASSERT_TRUE(tick());
    }
    // Returns whether the next look is followed by a turn.
    bool is_noticed() { return tick(); }

    Pace pace;
    Sight sight{100, false, "101 102 ", {Sight::Size{400 * mib, 0}, Sight::Size{64 * mib, 200 * mib}}};

private:
    milliseconds now_{0};
};

TEST_F(PaceTest, RestsAfterQuietTurnsAndThenTurnsSeldom) {
    come_to_rest();
    int turns = 0;
    int looks = 0;
    for (seconds passed{0}; passed < seconds(210); passed += pace.interval()) {
        ++looks;
        turns += tick();
    }
    EXPECT_EQ(turns, 10);
    // A turn costs three wake-ups more, for the answers: at most one wake-up in two seconds.
    EXPECT_LE(looks + 3 * turns, 105);
}

TEST_F(PaceTest, AnOrderEndsTheRest) {
    come_to_rest();
    EXPECT_FALSE(tick());
    EXPECT_TRUE(tick(false));
    EXPECT_EQ(pace.interval(), Pace::turn_interval);
    EXPECT_TRUE(tick());
}

TEST_F(PaceTest, NewsEndTheRest) {
    come_to_rest();
    EXPECT_FALSE(tick());
    pace.hurry();
    EXPECT_TRUE(tick());
}

TEST_F(PaceTest, AChangeOfProcessesIsATurn) {
    come_to_rest();
    sight.children = "101 102 103 ";
    EXPECT_TRUE(is_noticed());
    EXPECT_FALSE(is_noticed()) << "once";
    sight.sizes[1].reset();
    EXPECT_TRUE(is_noticed());
    sight.is_frozen = true;
    EXPECT_TRUE(is_noticed());
    sight.client.reset();
    EXPECT_TRUE(is_noticed());
    sight.sizes.pop_back();
    EXPECT_TRUE(is_noticed());
}

TEST_F(PaceTest, GrowthAndMemoryThatComesBackAreATurn) {
    come_to_rest();
    sight.sizes[0]->resident_bytes += 12 * mib;
    EXPECT_FALSE(is_noticed()) << "less than a thirty-second part";
    sight.sizes[0]->resident_bytes += mib;
    EXPECT_TRUE(is_noticed()) << "small steps add up";
    // The user resumes a task that was swapped out.
    sight.sizes[1] = Sight::Size{70 * mib, 194 * mib};
    EXPECT_TRUE(is_noticed());
    sight.sizes[1]->resident_bytes -= 3 * mib;
    EXPECT_FALSE(is_noticed()) << "little moves all the time";
}

}  // namespace
}  // namespace tmm::boinc
