// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/presence.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

class PresenceTest : public testing::Test {
protected:
    Presence see(std::optional<Seconds> idle_for, int later = 1) {
        return watch_.step(idle_for, Seconds(300), now_ += seconds(later));
    }
    Presence use(int idle_before, int length, bool in_use) {
        return watch_.note_use(Seconds(idle_before), Seconds(length), in_use, now_ += seconds(length));
    }

    PresenceWatch watch_;
    AwakeTime now_{hours(1)};
};

TEST_F(PresenceTest, SomebodyCountsAsThereForFiveMinutes) {
    EXPECT_EQ(see(Seconds(0)).attended, true);
    EXPECT_EQ(see(Seconds(299)).attended, true);
    EXPECT_EQ(see(Seconds(300)).attended, false);
    EXPECT_EQ(see(std::nullopt).attended, std::nullopt);
}

TEST_F(PresenceTest, TellsOnceThatTheOwnerHasLeft) {
    EXPECT_EQ(see(Seconds(1000)).left, std::nullopt) << "nobody was there";
    see(Seconds(0));
    EXPECT_EQ(see(Seconds(299)).left, std::nullopt);
    EXPECT_EQ(see(Seconds(301)).left, Seconds(301));
    EXPECT_EQ(see(Seconds(302)).left, std::nullopt);
}

TEST_F(PresenceTest, AReturnFollowsABreakAndLastsAMinute) {
    EXPECT_FALSE(see(Seconds(0)).returning) << "nobody was away";
    EXPECT_EQ(see(Seconds(130)).returned, std::nullopt);
    const Presence back = see(Seconds(0), 5);
    EXPECT_EQ(back.returned, Seconds(130));
    EXPECT_TRUE(back.returning);
    EXPECT_EQ(see(Seconds(0)).returned, std::nullopt) << "once";
    EXPECT_TRUE(see(Seconds(0), 58).returning);
    EXPECT_FALSE(see(Seconds(0)).returning);
}

TEST_F(PresenceTest, TwoMinutesAreABreak) {
    see(Seconds(120));
    EXPECT_EQ(see(Seconds(0)).returned, Seconds(120));
}

TEST_F(PresenceTest, AnAbsenceEndsWithItsWitness) {
    see(Seconds(500));
    see(std::nullopt);
    EXPECT_FALSE(use(0, 1, true).returning) << "use tells of no return of that person";
}

TEST_F(PresenceTest, AShortAbsenceIsNoBreak) {
    for (int i = 0; i < 10; ++i) {
        see(Seconds(119), 119);
        EXPECT_FALSE(see(Seconds(0)).returning);
    }
}

TEST_F(PresenceTest, AMinuteGoesOnThoughTheOwnerLeaves) {
    see(Seconds(130));
    see(Seconds(0));
    EXPECT_TRUE(see(Seconds(30), 30).returning);
    EXPECT_FALSE(see(Seconds(60), 30).returning);
}

TEST_F(PresenceTest, TheFirstSignOfPeopleIsNoReturn) {
    see(std::nullopt);
    use(0, 500, false);
    EXPECT_FALSE(see(Seconds(0)).returning);
    see(Seconds(500));
    see(std::nullopt);
    EXPECT_FALSE(see(Seconds(0)).returning) << "the devices were gone meanwhile";
}

TEST_F(PresenceTest, WhereNothingTellsOfPeopleUseDoes) {
    see(std::nullopt);
    EXPECT_FALSE(use(0, 100, false).returning);
    EXPECT_FALSE(use(0, 19, true).returning) << "no break";
    use(0, 100, false);
    const Presence back = use(20, 21, true);
    EXPECT_EQ(back.returned, Seconds(120)) << "with the idle part of the last epoch";
    EXPECT_TRUE(back.returning);
    EXPECT_FALSE(see(std::nullopt, 60).returning);
}

TEST_F(PresenceTest, UseTellsNothingWherePeopleAreKnown) {
    see(Seconds(1000));
    use(0, 500, false);
    EXPECT_FALSE(use(0, 1, true).returning);
    EXPECT_EQ(see(Seconds(1500)).returned, std::nullopt);
}

}  // namespace
}  // namespace tmm::core
