// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/shown.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "base/text/utf8.hpp"
#include "boinc-adapter/policy/tasks/test_sizes.hpp"

namespace tmm::boinc {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using Names = std::vector<std::string>;

MeasuredTask shown_task(const std::string& name, ProcessState state = ProcessState::executing) {
    MeasuredTask measured;
    measured.task.id = {"http://project/", name};
    measured.task.is_unfinished = true;
    measured.task.active.emplace();
    measured.task.active->state = state;
    measured.task.active->current_cpu = seconds(5);
    measured.task.active->fraction_done = 0.25;
    measured.project = "Project";
    measured.application = "Science";
    measured.resident_bytes = 100 * mib;
    measured.swap_bytes = 7 * mib;
    return measured;
}

MeasuredTask queued(const std::string& name) {
    MeasuredTask measured = shown_task(name);
    measured.task.active.reset();
    return measured;
}

ShownFacts working() {
    ShownFacts facts;
    facts.client = ShownFacts::Client::answers;
    facts.version = Version{7, 20, 5};
    facts.has_tmmd = true;
    return facts;
}

std::string state_of(const MeasuredTask& measured, ShownFacts facts = working()) {
    facts.tasks = {measured};
    return shown(facts).tasks.at(0).state;
}

TEST(Shown, IsAllOfATask) {
    ShownFacts facts = working();
    facts.tasks = {shown_task("a_0")};
    facts.tasks[0].is_outside = true;
    const Shown all = shown(facts);
    EXPECT_EQ(all.state, "working");
    EXPECT_EQ(all.message, "");
    EXPECT_EQ(all.client_version, "7.20.5");
    EXPECT_EQ(all.tasks_outside, 1U);
    EXPECT_EQ(all.tasks, (std::vector{ShownTask{"Project", "Science", "a_0", "running", 0.25, 100 * mib, 7 * mib, 0, true}}));
}

TEST(Shown, StateTellsTheFirstObstacle) {
    const auto state = [](const std::function<void(ShownFacts&)>& change) {
        ShownFacts facts = working();
        change(facts);
        const Shown now = shown(facts);
        EXPECT_EQ(now.message.empty(), now.state == "working") << now.state;
        return now.state;
    };
    EXPECT_EQ(state([](ShownFacts&) {}), "working");
    EXPECT_EQ(state([](ShownFacts& facts) { facts.client = ShownFacts::Client::absent; }), "no-client");
    EXPECT_EQ(state([](ShownFacts& facts) {
                  facts.client = ShownFacts::Client::absent;
                  facts.silence = "It runs elsewhere.";
              }),
              "trouble");
    EXPECT_EQ(state([](ShownFacts& facts) { facts.has_tmmd = false; }), "no-tmmd");
    EXPECT_EQ(state([](ShownFacts& facts) { facts.is_read_only = true; }), "read-only");
    EXPECT_EQ(state([](ShownFacts& facts) { facts.trouble = "the disk is full"; }), "trouble");
    EXPECT_EQ(state([](ShownFacts& facts) {
                  facts.client = ShownFacts::Client::absent;
                  facts.has_tmmd = false;
              }),
              "no-client");
    // It cannot answer, but it is there.
    EXPECT_EQ(state([](ShownFacts& facts) { facts.client = ShownFacts::Client::frozen; }), "working");
}

TEST(Shown, AnAbsentClientHasNoTasks) {
    ShownFacts facts = working();
    facts.tasks = {shown_task("a_0")};
    facts.client = ShownFacts::Client::absent;
    EXPECT_TRUE(shown(facts).tasks.empty());
    EXPECT_EQ(shown(facts).client_version, "");
}

TEST(Shown, OnlyAClientThatDoesNotRunIsToBeStarted) {
    ShownFacts facts = working();
    facts.client = ShownFacts::Client::absent;
    EXPECT_NE(shown(facts).message.find("systemctl start boinc-client"), std::string::npos);
    facts.silence = "The BOINC client runs,\x1b and does not answer.";
    EXPECT_EQ(shown(facts).message.find("systemctl"), std::string::npos);
    EXPECT_EQ(shown(facts).message, printable(facts.silence));
    // It may have been silent before.
    facts.client = ShownFacts::Client::answers;
    EXPECT_EQ(shown(facts).message, "");
}

TEST(Shown, OtherClientsAreToldAlsoWithoutTheOwnOne) {
    ShownFacts facts = working();
    facts.client = ShownFacts::Client::absent;
    facts.other_clients = {"Another one runs."};
    const Shown now = shown(facts);
    EXPECT_EQ(now.other_clients, facts.other_clients);
    ShownNews news;
    const auto names = news.take(now, {}, seconds(0));
    EXPECT_NE(std::find(names.begin(), names.end(), std::string("OtherClients")), names.end());
    EXPECT_TRUE(news.take(now, {}, minutes(1)).empty());
}

TEST(Shown, TasksStandStillForDifferentReasons) {
    EXPECT_EQ(state_of(shown_task("a")), "running");
    EXPECT_EQ(state_of(shown_task("a", ProcessState::suspended)), "suspended");
    EXPECT_EQ(state_of(shown_task("a", ProcessState::none)), "suspended");  // begun, and removed from memory
    EXPECT_EQ(state_of(shown_task("a", ProcessState::quitting)), "ending");
    EXPECT_EQ(state_of(queued("a")), "queued");
    MeasuredTask users = shown_task("a", ProcessState::suspended);
    users.task.suspended_by_gui = true;
    EXPECT_EQ(state_of(users), "suspended");
    MeasuredTask project = queued("a");
    project.task.project_suspended_by_gui = true;
    EXPECT_EQ(state_of(project), "suspended");
}

TEST(Shown, AHeldTaskWaitsForMemory) {
    ShownFacts facts = working();
    facts.tasks = {shown_task("a", ProcessState::suspended)};
    facts.tasks[0].task.suspended_by_gui = true;
    facts.waiting[facts.tasks[0].task.id] = 1234 * mib;
    EXPECT_EQ(shown(facts).tasks[0].state, "waiting");
    EXPECT_EQ(shown(facts).tasks[0].needed_bytes, 1234 * mib);
}

TEST(Shown, APauseStopsAllButTheUsersAndTheQueued) {
    ShownFacts stopped = working();
    stopped.has_stopped = true;
    ShownFacts frozen = working();
    frozen.client = ShownFacts::Client::frozen;
    MeasuredTask users = shown_task("a", ProcessState::suspended);
    users.task.suspended_by_gui = true;
    for (const ShownFacts& facts : {stopped, frozen}) {
        EXPECT_EQ(state_of(shown_task("a"), facts), "paused");
        EXPECT_EQ(state_of(shown_task("a", ProcessState::suspended), facts), "paused");
        EXPECT_EQ(state_of(users, facts), "suspended");
        EXPECT_EQ(state_of(queued("a"), facts), "queued");
    }
}

TEST(Shown, TasksInMemoryComeFirstAndFinishedOnesNot) {
    ShownFacts facts = working();
    facts.tasks = {queued("q"), shown_task("b", ProcessState::suspended), shown_task("done"), shown_task("c")};
    facts.tasks[2].task.is_unfinished = false;
    Names names;
    for (const ShownTask& one : shown(facts).tasks)
        names.push_back(one.name);
    EXPECT_EQ(names, (Names{"b", "c", "q"}));
}

TEST(Shown, AClientWithThousandsOfTasksAndLongNamesIsBounded) {
    ShownFacts facts = working();
    for (std::size_t i = 0; i < 5000; ++i)
        facts.tasks.push_back(queued(std::to_string(i)));
    MeasuredTask last = shown_task(std::string(100'000, 'x'));
    last.project = "\xff\x1b[2J";
    std::string marks;
    for (int i = 0; i < 10'000; ++i)
        marks += "\u0301";
    last.application = marks;
    facts.tasks.push_back(last);
    const Shown now = shown(facts);
    ASSERT_EQ(now.tasks.size(), max_shown_tasks);
    EXPECT_LE(now.tasks[0].name.size(), 4 * max_shown_columns);
    EXPECT_LE(now.tasks[0].application.size(), 4 * max_shown_bytes);
    EXPECT_EQ(now.tasks[0].project, "\\xff\\x1b[2J");
}

class NewsTest : public testing::Test {
protected:
    NewsTest() {
        facts.tasks = {shown_task("a")};
        take();
    }
    Names take(milliseconds step = seconds(2)) {
        now += step;
        Names names;
        for (const char* name : news.take(shown(facts), days, now))
            names.emplace_back(name);
        return names;
    }

    ShownFacts facts = working();
    std::vector<DayOfWork> days;
    ShownNews news;
    milliseconds now{0};
};

TEST_F(NewsTest, AreNoneWithoutAChange) {
    EXPECT_EQ(take(), Names());
}

TEST_F(NewsTest, LeaveSmallChangesOut) {
    facts.tasks[0].resident_bytes += mib - 1;
    facts.tasks[0].task.active->fraction_done += 0.0009;
    EXPECT_EQ(take(), Names());
    // Small ones add up.
    facts.tasks[0].resident_bytes += 1;
    EXPECT_EQ(take(), Names{"Tasks"});
    facts.tasks[0].task.active->fraction_done += 0.0011;
    EXPECT_EQ(take(), Names{"Tasks"});
    facts.tasks[0].swap_bytes -= mib;
    EXPECT_EQ(take(), Names{"Tasks"});
    EXPECT_EQ(take(), Names());
}

TEST_F(NewsTest, ComeAtMostOnceInTwoSeconds) {
    facts.tasks[0].task.suspended_by_gui = true;
    EXPECT_EQ(take(), Names{"Tasks"});
    facts.client = ShownFacts::Client::absent;
    EXPECT_EQ(take(milliseconds(1900)), Names());
    EXPECT_EQ(take(milliseconds(100)), (Names{"State", "Message", "ClientVersion", "Tasks"}));
}

TEST_F(NewsTest, OfDaysComeOnceAMinute) {
    days.push_back({"2026-11-23", 1, 2});
    EXPECT_EQ(take(), Names{"Days"});
    days[0].cpu_seconds = 2;
    EXPECT_EQ(take(), Names());
    EXPECT_EQ(take(minutes(1)), Names{"Days"});
}

}  // namespace
}  // namespace tmm::boinc
