// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/presence_rule.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr DesktopSession in_use{};
constexpr DesktopSession idle{.idle = true};
constexpr DesktopSession locked{.locked = true};

class PresenceRuleTest : public testing::Test {
protected:
    void after(seconds time) { now_ += time; }
    void desktop(DesktopSession session) { rule_.see_sessions({{"1", session}}, now_); }
    std::optional<Seconds> idle_for() { return rule_.idle_for(now_); }
    // A desktop becomes idle and is used again; no counter tells of it.
    void return_unseen() {
        desktop(idle);
        after(minutes(60));
        desktop(in_use);
        after(seconds(30));
        idle_for();
    }

    PresenceRule rule_;
    ElapsedTime now_{seconds(1000)};
};

TEST_F(PresenceRuleTest, NobodyKnowsAtFirst) {
    EXPECT_EQ(idle_for(), std::nullopt);
    rule_.see_arrival(now_);
    desktop(in_use);
    EXPECT_EQ(idle_for(), std::nullopt) << "many desktops never say that they are idle";
}

TEST_F(PresenceRuleTest, InputIsPresence) {
    rule_.see_input(now_);
    EXPECT_EQ(idle_for(), Seconds(0));
    after(minutes(1));
    EXPECT_EQ(idle_for(), Seconds(60));
}

TEST_F(PresenceRuleTest, AnIdleDesktopTellsOfPeople) {
    desktop(in_use);
    after(minutes(10));
    desktop(idle);
    EXPECT_EQ(idle_for(), Seconds(600)) << "it does not say for how long";
}

TEST_F(PresenceRuleTest, AnIdleDesktopWithANewNameIsNoArrival) {
    desktop(idle);
    EXPECT_EQ(idle_for(), Seconds(0)) << "nothing is known of the time before";
    after(minutes(60));
    rule_.see_sessions({{"1 after a restart of logind", idle}}, now_);
    EXPECT_EQ(idle_for(), Seconds(3600));
    rule_.see_sessions({{"1 after another", in_use}}, now_);
    EXPECT_EQ(idle_for(), Seconds(0)) << "somebody logs in";
}

TEST_F(PresenceRuleTest, ADesktopThatWakesIsAReturn) {
    rule_.see_input(now_);
    desktop(idle);
    after(minutes(60));
    desktop(in_use);
    EXPECT_EQ(idle_for(), Seconds(0));
    after(seconds(29));
    EXPECT_EQ(idle_for(), Seconds(29));
}

TEST_F(PresenceRuleTest, CountersThatFollowAreMoreExact) {
    desktop(idle);
    after(minutes(60));
    desktop(in_use);
    after(seconds(4));
    rule_.see_input(now_);
    after(minutes(4));
    EXPECT_EQ(idle_for(), Seconds(240)) << "the desktop is not idle yet";
}

TEST_F(PresenceRuleTest, CountersThatToldAlreadyMissNothing) {
    desktop(idle);
    after(minutes(60));
    rule_.see_input(now_);
    after(seconds(10));
    desktop(in_use);
    after(minutes(4));
    EXPECT_EQ(idle_for(), Seconds(240));
}

TEST_F(PresenceRuleTest, WhereCountersMissADeviceTheDesktopDecides) {
    rule_.see_input(now_);
    return_unseen();
    after(minutes(20));
    EXPECT_EQ(idle_for(), Seconds(0));
    desktop(idle);
    EXPECT_EQ(idle_for(), Seconds(0));
    after(minutes(5));
    EXPECT_EQ(idle_for(), Seconds(300));
    rule_.see_input(now_);
    EXPECT_EQ(idle_for(), Seconds(0)) << "counters still count";
}

TEST_F(PresenceRuleTest, AnOldInputIsNoWitnessOfAReturn) {
    desktop(idle);
    rule_.see_input(now_);
    after(seconds(11));
    desktop(in_use);
    after(minutes(3));
    EXPECT_EQ(idle_for(), Seconds(0));
}

TEST_F(PresenceRuleTest, NobodyUsesALockedDesktop) {
    return_unseen();
    desktop(locked);
    after(minutes(5));
    EXPECT_EQ(idle_for(), Seconds(300));
    desktop(in_use);
    EXPECT_EQ(idle_for(), Seconds(0));
}

TEST_F(PresenceRuleTest, AnUnlockedDesktopIsPresence) {
    desktop({.idle = true, .locked = true});
    after(minutes(10));
    desktop(idle);
    EXPECT_EQ(idle_for(), Seconds(0));
    after(minutes(1));
    EXPECT_EQ(idle_for(), Seconds(60)) << "but no return that counters have to tell";
}

TEST_F(PresenceRuleTest, ADesktopThatWasNeverIdleDecidesNothing) {
    return_unseen();
    rule_.see_sessions({{"1", idle}, {"2", in_use}}, now_);
    after(minutes(5));
    EXPECT_EQ(idle_for(), Seconds(300)) << "its hint may never change";
}

TEST_F(PresenceRuleTest, ADesktopThatEndsWasInUse) {
    return_unseen();
    after(minutes(20));
    rule_.see_sessions({}, now_);
    EXPECT_EQ(idle_for(), Seconds(0));
    after(minutes(1));
    EXPECT_EQ(idle_for(), Seconds(60));
    desktop(in_use);
    EXPECT_EQ(idle_for(), Seconds(0)) << "somebody logs in";
    after(minutes(1));
    EXPECT_EQ(idle_for(), Seconds(60)) << "this one has not been idle yet";
}

}  // namespace
}  // namespace tmm::core
