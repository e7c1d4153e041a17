// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/resumed_tasks.hpp"

#include <gtest/gtest.h>

#include "boinc-adapter/policy/policy_fixture.hpp"

namespace tmm::boinc {
namespace {

using std::chrono::seconds;

class ResumedTask : public PolicyTest {
protected:
    void SetUp() override {
        facts.tasks = {task("a", 2 * gib)};
        turn(giving(4 * gib));
        turns(giving(gib), 3);
        ASSERT_TRUE(find("a").suspended_by_gui);
        client_saves();
        while (find("a").suspended_by_gui)
            turn(giving(8 * gib));
        policy.carried_out(find("a").id, false);
    }
    void user_suspends() {
        find("a").suspended_by_gui = true;
        find("a").state = ProcessState::suspended;
    }
    void client_starts_with_it_suspended() {
        policy.client_restarted(facts.saved);
        client_saves();
        find("a").suspended_by_gui = true;
        find("a").state = ProcessState::none;
    }
};

TEST_F(ResumedTask, GoesOnAfterAClientThatForgotIt) {
    client_starts_with_it_suspended();
    turn(giving(gib));
    EXPECT_EQ(policy.saved_state().held.size(), 1U) << "there is no room now";
    turns(giving(8 * gib), 20);
    EXPECT_FALSE(find("a").suspended_by_gui);
}

TEST_F(ResumedTask, GoesOnThoughTheClientForgotItLater) {
    turns(giving(8 * gib), 3);
    client_starts_with_it_suspended();
    policy.client_restarted(facts.saved);  // the next connection is lost before it tells anything
    turns(giving(8 * gib), 20);
    EXPECT_FALSE(find("a").suspended_by_gui);
}

TEST_F(ResumedTask, IsTheUsersAsSoonAsTheClientSavedThatItRuns) {
    turn(giving(8 * gib));
    client_saves();
    client_starts_with_it_suspended();
    turns(giving(8 * gib), 20);
    EXPECT_TRUE(find("a").suspended_by_gui);
}

TEST_F(ResumedTask, IsTheUsersAfterATurnThatSawItSaved) {
    turn(giving(8 * gib));
    const FileMark before = facts.saved;
    client_saves();
    turn(giving(8 * gib));
    facts.saved = before;
    client_starts_with_it_suspended();
    turns(giving(8 * gib), 20);
    EXPECT_TRUE(find("a").suspended_by_gui);
}

TEST_F(ResumedTask, StaysAsTheUserSuspendedIt) {
    user_suspends();
    turn(giving(8 * gib));
    client_starts_with_it_suspended();
    turns(giving(8 * gib), 20);
    EXPECT_TRUE(find("a").suspended_by_gui);
}

TEST_F(ResumedTask, IsTheUsersIfNobodyKnowsWhatTheClientSaved) {
    facts.saved = {};
    turn(giving(8 * gib));
    policy.client_restarted(facts.saved);
    user_suspends();
    turns(giving(8 * gib), 20);
    EXPECT_TRUE(find("a").suspended_by_gui);
}

TEST_F(ResumedTask, IsSuspectedInTheFirstTurnOnly) {
    policy.client_restarted(facts.saved);
    turn(giving(8 * gib));
    user_suspends();
    turns(giving(8 * gib), 20);
    EXPECT_TRUE(find("a").suspended_by_gui);
}

}  // namespace
}  // namespace tmm::boinc
