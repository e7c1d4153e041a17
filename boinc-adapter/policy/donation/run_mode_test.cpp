// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/donation/run_mode.hpp"

#include <gtest/gtest.h>

namespace tmm::boinc {
namespace {

using std::chrono::seconds;

Now at(seconds t) {
    return {t, seconds(1'700'000'000) + t};
}

ModeStatus mode(RunMode current, RunMode permanent, double delay = 0) {
    return {current, permanent, std::chrono::duration<double>(delay)};
}

constexpr RunMode automatic = RunMode::automatic;
constexpr RunMode always = RunMode::always;
constexpr RunMode never = RunMode::never;

Orders stop(RunModeRule& rule, const ModeStatus& status, Now now) {
    Orders orders;
    rule.stop(status, now, orders);
    return orders;
}
Orders run(RunModeRule& rule, const ModeStatus& status, Now now) {
    Orders orders;
    rule.run(status, now, orders);
    return orders;
}

TEST(RunModeRule, StopsForATimeThatEndsByItselfAndRenewsIt) {
    RunModeRule rule;
    EXPECT_EQ(stop(rule, mode(automatic, automatic), at(seconds(0))).stop_for, seconds(120));
    EXPECT_TRUE(stop(rule, mode(never, automatic, 118), at(seconds(2))).empty());
    EXPECT_TRUE(stop(rule, mode(never, automatic, 80), at(seconds(40))).empty());
    EXPECT_EQ(stop(rule, mode(never, automatic, 78), at(seconds(42))).stop_for, seconds(120));
}

TEST(RunModeRule, EndsItsStopAndOnlyItsStop) {
    RunModeRule rule;
    EXPECT_TRUE(run(rule, mode(automatic, automatic), at(seconds(0))).empty());
    // A pause of the user's before TMM did anything.
    EXPECT_TRUE(run(rule, mode(never, automatic, 60), at(seconds(0))).empty());
    stop(rule, mode(automatic, automatic), at(seconds(0)));
    EXPECT_TRUE(run(rule, mode(never, automatic, 110), at(seconds(10))).restore_mode);
    // Until the client tells that it runs again.
    EXPECT_TRUE(run(rule, mode(never, automatic, 108), at(seconds(12))).restore_mode);
    EXPECT_TRUE(run(rule, mode(automatic, automatic), at(seconds(14))).empty());
    EXPECT_TRUE(run(rule, mode(never, automatic, 60), at(seconds(16))).empty());
}

TEST(RunModeRule, LeavesAUsersPauseAlone) {
    RunModeRule rule;
    EXPECT_TRUE(stop(rule, mode(never, never), at(seconds(0))).empty());
    EXPECT_TRUE(stop(rule, mode(never, automatic, 3600), at(seconds(2))).empty());
    EXPECT_TRUE(run(rule, mode(never, automatic, 3000), at(seconds(4))).empty());
    EXPECT_TRUE(run(rule, mode(never, never), at(seconds(6))).empty());
}

TEST(RunModeRule, AUsersPauseTakesThePlaceOfItsStop) {
    RunModeRule rule;
    stop(rule, mode(automatic, automatic), at(seconds(0)));
    EXPECT_TRUE(stop(rule, mode(never, automatic, 3600), at(seconds(2))).empty());
    EXPECT_TRUE(run(rule, mode(never, automatic, 100), at(seconds(3502))).empty());
    RunModeRule other;
    stop(other, mode(automatic, automatic), at(seconds(0)));
    EXPECT_TRUE(run(other, mode(never, never), at(seconds(2))).empty());
}

TEST(RunModeRule, AUserWhoEndsTheStopWinsUntilTheNextOne) {
    RunModeRule rule;
    stop(rule, mode(automatic, automatic), at(seconds(0)));
    stop(rule, mode(never, automatic, 118), at(seconds(2)));
    EXPECT_TRUE(stop(rule, mode(always, always), at(seconds(4))).empty());
    EXPECT_TRUE(stop(rule, mode(always, always), at(seconds(500))).empty());
    run(rule, mode(always, always), at(seconds(502)));
    EXPECT_TRUE(stop(rule, mode(always, always), at(seconds(504))).stop_for);
}

TEST(RunModeRule, LeavesATemporaryChoiceOfTheUserAlone) {
    RunModeRule rule;
    EXPECT_TRUE(stop(rule, mode(always, automatic, 3600), at(seconds(0))).empty());
    // It ended.
    EXPECT_TRUE(stop(rule, mode(automatic, automatic), at(seconds(3600))).stop_for);
}

TEST(RunModeRule, AStopThatEndedIsNoChoiceOfTheUser) {
    const auto after = [](Now now) {
        RunModeRule rule;
        stop(rule, mode(automatic, automatic), at(seconds(0)));
        stop(rule, mode(never, automatic, 118), at(seconds(2)));
        return stop(rule, mode(automatic, automatic), now).stop_for.has_value();
    };
    EXPECT_FALSE(after(at(seconds(30))));
    EXPECT_TRUE(after(at(seconds(130))));                                               // a late turn, or the machine slept
    EXPECT_TRUE(after({seconds(30), seconds(1'700'000'000) + std::chrono::hours(1)}));  // the clock was set forward
    EXPECT_TRUE(after({seconds(30), seconds(1'600'000'000)}));                          // and back
}

TEST(RunModeRule, AClockSetBackMakesAStopNobodyElses) {
    // Beside the real time, by which 10 s have passed.
    const Now an_hour_back{seconds(10), seconds(1'700'000'010) - std::chrono::hours(1)};
    const auto stopped = [] {
        RunModeRule rule;
        stop(rule, mode(automatic, automatic), at(seconds(0)));
        return rule;
    };
    RunModeRule ended = stopped();
    EXPECT_TRUE(run(ended, mode(never, automatic, 3710), an_hour_back).restore_mode);
    // It would outlive TMM for an hour.
    RunModeRule renewed = stopped();
    EXPECT_EQ(stop(renewed, mode(never, automatic, 3710), an_hour_back).stop_for, seconds(120));
    RunModeRule users = stopped();
    EXPECT_TRUE(run(users, mode(never, automatic, 3600), an_hour_back).empty());
}

TEST(RunModeRule, AClientThatStartsAnewIsNoChoiceOfItsUser) {
    RunModeRule rule;
    stop(rule, mode(automatic, automatic), at(seconds(0)));
    stop(rule, mode(never, automatic, 118), at(seconds(2)));
    rule.client_restarted();
    EXPECT_TRUE(stop(rule, mode(automatic, automatic), at(seconds(10))).stop_for);
}

TEST(RunModeRule, AStopThatTheClientNeverShowedIsOrderedAgain) {
    RunModeRule rule;
    stop(rule, mode(automatic, automatic), at(seconds(0)));
    EXPECT_TRUE(stop(rule, mode(automatic, automatic), at(seconds(2))).stop_for);
}

TEST(RunModeRule, EndsTheStopOfAKilledAdapter) {
    RunModeRule rule;
    rule.adopt(at(seconds(0)));
    EXPECT_TRUE(run(rule, mode(never, automatic, 90), at(seconds(0))).restore_mode);
    RunModeRule users;
    users.adopt(at(seconds(0)));
    EXPECT_TRUE(run(users, mode(never, automatic, 900), at(seconds(0))).empty());
}

}  // namespace
}  // namespace tmm::boinc
