// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The adapter's turns while all goes well; adapter_failure_test.cpp has the rest.
#include "boinc-adapter/app/adapter.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/temp_tree.hpp"
#include "boinc-adapter/app/adapter_fixture.hpp"

namespace tmm::boinc {
namespace {

using std::chrono::seconds;

TEST_F(AdapterTest, AsksThenPushesThenBringsAllBack) {
    start(adapter);
    adapter.set_tmmd(tells("giving"));
    turn(adapter);
    EXPECT_NE(requests.find("get_state"), std::string::npos);
    EXPECT_NE(requests.find("read_global_prefs_override"), std::string::npos);
    EXPECT_NE(tree_.text("data/global_prefs_override.xml").find("<leave_apps_in_memory>1"), std::string::npos);
    for (int i = 0; i < 15; ++i)
        turn(adapter);
    EXPECT_EQ(requests.find("get_state"), std::string::npos);
    // 4 GiB of the 23.5 GiB that the client told
    EXPECT_NE(tree_.text("data/global_prefs_override.xml").find("<ram_max_used_busy_pct>17.0"), std::string::npos)
        << tree_.text("data/global_prefs_override.xml");
    EXPECT_FALSE(adapter.is_clean());
    adapter.set_tmmd({});
    turn(adapter);
    EXPECT_EQ(tree_.text("data/global_prefs_override.xml"), users_text);
    turn(adapter);
    turn(adapter);
    EXPECT_TRUE(adapter.is_clean());
}

TEST_F(AdapterTest, ADryRunTellsTheClientNothing) {
    Adapter dry(root, files, log, true);
    start(dry);
    dry.set_tmmd(tells("paused"));
    turn(dry);
    EXPECT_EQ(requests.find("set_run_mode"), std::string::npos);
    EXPECT_EQ(requests.find("read_global_prefs_override"), std::string::npos);
    EXPECT_EQ(tree_.text("data/global_prefs_override.xml"), users_text);
}

TEST_F(AdapterTest, APauseStopsTheClient) {
    start(adapter);
    adapter.set_tmmd(tells("paused"));
    turn(adapter);
    EXPECT_LT(requests.find("<never/>"), requests.find("get_state")) << "it needs no bounds of tasks";
    EXPECT_NE(tree_.text("state/state").find("stopped"), std::string::npos);
}

TEST_F(AdapterTest, AsksForTheWorkOfANewTaskAgainSoon) {
    start(adapter);
    adapter.set_tmmd(tells("giving"));
    has_works = false;
    std::vector<int> asked;
    const int begin_s = time_s;
    for (int i = 0; i < 10; ++i) {
        turn(adapter);
        if (requests.find("get_state") != std::string::npos)
            asked.push_back(time_s - begin_s);
        has_works = i > 3;
    }
    EXPECT_EQ(asked, (std::vector<int>{2, 10, 18}));
}

TEST_F(AdapterTest, PreferencesFromTheWebCountAtOnce) {
    tree_.file("data/global_prefs.xml", "old");
    start(adapter);
    adapter.set_tmmd(tells("giving"));
    turn(adapter);
    turn(adapter);
    ASSERT_EQ(requests.find("get_global_prefs_working"), std::string::npos);
    const auto file = tree_.path() / "data/global_prefs.xml";
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + seconds(1));
    time_s += 2;
    requests.clear();
    adapter.begin_turn(now());
    EXPECT_EQ(tree_.text("data/global_prefs_override.xml"), users_text) << "TMM's limit must not seem to be the user's";
    answer(adapter);
    EXPECT_LT(requests.find("read_global_prefs_override"), requests.find("get_global_prefs_working"));
    EXPECT_NE(tree_.text("data/global_prefs_override.xml"), users_text);
    turn(adapter);
    EXPECT_EQ(requests.find("get_global_prefs_working"), std::string::npos);
}

TEST_F(AdapterTest, ShowsTheClientsTasksAndWhatTheyDid) {
    ASSERT_TRUE(adapter.start(now()));
    EXPECT_EQ(shown(adapter.shown_facts(false)).state, "no-client");
    connect(adapter);
    turn(adapter);
    EXPECT_EQ(shown(adapter.shown_facts(false)).state, "no-tmmd");
    adapter.set_tmmd(tells("giving"));
    turn(adapter);
    const Shown now = shown(adapter.shown_facts(false));
    EXPECT_EQ(now.state, "working");
    EXPECT_EQ(now.client_version, "7.20.5");
    EXPECT_TRUE(now.other_clients.empty());
    adapter.set_other_clients({"Another one runs."});
    EXPECT_EQ(shown(adapter.shown_facts(false)).other_clients, std::vector<std::string>{"Another one runs."});
    ASSERT_EQ(now.tasks.size(), 3U);
    EXPECT_EQ(now.tasks[0].project, "offline");
    EXPECT_EQ(now.tasks[0].application, "Memory & time");
    EXPECT_EQ(now.tasks[0].state, "running");
    EXPECT_EQ(now.tasks[2].state, "suspended");
    ASSERT_EQ(adapter.days().size(), 1U);
    EXPECT_GT(adapter.days()[0].byte_seconds, 0);
    adapter.save_days();
    EXPECT_EQ(files.load_days().value().size(), 1U);
    adapter.session().lost(seconds(time_s));
    adapter.lost();
    EXPECT_EQ(shown(adapter.shown_facts(false)).state, "no-client");
}

TEST_F(AdapterTest, SavesTheAccountOfDaysEveryTenMinutes) {
    start(adapter);
    turn(adapter);
    time_s += 590;
    turn(adapter);
    EXPECT_EQ(tree_.text("state/days"), "");
    time_s += 10;
    turn(adapter);
    EXPECT_NE(tree_.text("state/days"), "");
}

TEST_F(AdapterTest, ShowsTasksThatItMayOnlyRead) {
    start(adapter);
    adapter.set_tmmd(tells("giving"));
    adapter.session().refused();
    turn(adapter);
    // The client refuses this question, too, and hangs up at the second one that it refuses.
    EXPECT_EQ(requests.find("get_global_prefs_working"), std::string::npos);
    EXPECT_EQ(shown(adapter.shown_facts(false)).state, "read-only");
    EXPECT_EQ(shown(adapter.shown_facts(false)).tasks.size(), 3U);
}

// A slow client has a queue of orders before it, and answers one request a second.
TEST_F(Resting, APauseGoesBeforeOrdersThatTheClientHasNotGot) {
    begin();
    adapter.set_tmmd(tells("giving", 70U << 20));
    turn(adapter);
    time_s += 2;
    const auto next_request = [&] {
        std::string request(adapter.session().outgoing());
        adapter.session().sent(request.size());
        return request;
    };
    const auto answer_to = [&](const std::string& request) {
        ++time_s;
        ASSERT_TRUE(adapter.session().received(reply_to(request) + "\003", seconds(time_s)));
        adapter.take_answers(now());
    };
    adapter.begin_turn(now());
    std::string request = next_request();
    while (request.find("suspend_result") == std::string::npos) {
        answer_to(request);
        request = next_request();
        ASSERT_NE(request, "");
    }
    // The second task is to be suspended, too.
    adapter.set_tmmd(tells("paused", 70U << 20));
    adapter.begin_turn_at_once(now());
    EXPECT_EQ(next_request(), "") << "it reads one request at a time";
    std::vector<std::string> asked;
    for (int i = 0; i < 4; ++i) {
        answer_to(request);
        request = next_request();
        asked.push_back(request);
        if (request.find("<never/>") != std::string::npos)
            break;
    }
    ASSERT_EQ(asked.size(), 3U);
    EXPECT_NE(asked[0].find("get_cc_status"), std::string::npos);
    EXPECT_NE(asked[1].find("get_results"), std::string::npos);
    EXPECT_NE(asked[2].find("<never/>"), std::string::npos);
    // What was taken back is not held.
    answer_to(request);
    turn(adapter);
    const std::string state = tree_.text("state/state");
    EXPECT_EQ(state.find("held"), state.rfind("held")) << state;
}

TEST_F(Resting, APauseThatEndsWhileItsOrderIsUnderWayIsEndedAtOnce) {
    begin();
    turns(20);
    requests.clear();
    adapter.set_tmmd(tells("paused", gib));
    adapter.begin_turn_at_once(now());
    while (adapter.session().outgoing().find("<never/>") == std::string_view::npos) {
        const std::string request(adapter.session().outgoing());
        ASSERT_NE(request, "");
        adapter.session().sent(request.size());
        ASSERT_TRUE(adapter.session().received(reply_to(request) + "\003", seconds(time_s)));
        adapter.take_answers(now());
    }
    adapter.set_tmmd(giving);
    adapter.begin_turn_at_once(now());
    answer(adapter);
    EXPECT_LT(requests.find("<never/>"), requests.find("get_cc_status")) << "a turn follows";
}

TEST_F(Resting, APauseEndsTasksWhoseMemoryIsNeededAndHasNowhereToGo) {
    const auto stay = [&](const char* state, const char* meminfo) {
        tree_.file("proc/meminfo", meminfo);
        adapter.set_tmmd(tells(state));
        turn(adapter);
        turn(adapter);
        return tree_.text("data/global_prefs_override.xml").find("<leave_apps_in_memory>1<") != std::string::npos;
    };
    begin();
    EXPECT_TRUE(stay("giving", ""));
    EXPECT_TRUE(stay("paused", "MemAvailable: 9000000 kB\nSwapFree: 0 kB\n"));
    EXPECT_TRUE(stay("giving", ""));
    EXPECT_TRUE(stay("paused", "MemAvailable: 900000 kB\nSwapFree: 9000000 kB\n"));
    EXPECT_TRUE(stay("giving", ""));
    EXPECT_FALSE(stay("paused", "MemAvailable: 900000 kB\nSwapFree: 0 kB\n"));
}

TEST_F(Resting, WithNothingToDoItOnlyLooks) {
    begin();
    turns(40);
    EXPECT_LE(turns(70), 10);
    show_process(9072, 2, 66'000);
    EXPECT_EQ(turns(1), 1) << "a task that grew";
    EXPECT_EQ(turns(1), 0);
    tree_.file("proc/9000/task/9000/children", "9069 9072 9073 ");
    EXPECT_EQ(turns(1), 1) << "a task that began";
    adapter.set_tmmd(tells("giving", 11 * gib));
    EXPECT_EQ(turns(1), 1) << "tmmd gives less";
}

TEST_F(Resting, ATaskThatItCannotSeeKeepsItAwake) {
    begin();
    std::filesystem::remove_all(tree_.path() / "proc/9072");
    turns(40);
    EXPECT_EQ(turns(10), 10) << "only the client tells its memory";
}

TEST_F(Resting, WithoutTheKernelsListOfChildrenItStaysAwake) {
    begin();
    std::filesystem::remove(tree_.path() / "proc/9000/task/9000/children");
    turns(40);
    EXPECT_EQ(turns(10), 10);
}

TEST_F(Resting, FreeMemoryChangesUnseen) {
    begin();
    adapter.set_tmmd({true, "waiting", 0, 0, "learning", 20 * gib});
    turns(40);
    EXPECT_EQ(turns(10), 10);
}

TEST_F(Resting, WithoutAClientItWaitsForItsProcess) {
    ASSERT_TRUE(adapter.start(now()));
    const auto wants_turn = [&](std::optional<pid_t> pid) {
        time_s += static_cast<int>(adapter.interval().count());
        return adapter.wants_turn(pid, false, now());
    };
    for (int i = 0; i < 10; ++i)
        wants_turn({});
    int count = 0;
    for (int i = 0; i < 70; ++i)
        count += wants_turn({}) ? 1 : 0;
    EXPECT_LE(count, 10);
    tree_.file("proc/9000/task/9000/children", "");
    for (int i = 0; i < 10; ++i)
        EXPECT_TRUE(wants_turn(client)) << "it is about to answer";
}

TEST_F(Resting, AFrozenClientHasNothingToTell) {
    begin();
    turns(3);
    const auto frozen_turn = [&] {
        time_s += static_cast<int>(adapter.interval().count());
        const Now moment = now();
        adapter.client_is_frozen(moment);
        return adapter.wants_turn(client, true, moment);
    };
    for (int i = 0; i < 10; ++i)
        frozen_turn();
    int count = 0;
    for (int i = 0; i < 70; ++i)
        count += frozen_turn() ? 1 : 0;
    EXPECT_LE(count, 10);
    time_s += 3;
    EXPECT_TRUE(adapter.wants_turn(client, false, now())) << "thawed";
}

TEST_F(Resting, ATaskThatIsResumedIsNotShownAsSuspendedByItsUser) {
    begin_with_little();
    const auto name = requests.find("<name>", requests.find("<suspend_result>")) + 6;
    suspended = requests.substr(name, requests.find('<', name) - name);
    const auto state = [&] {
        for (const ShownTask& task : shown(adapter.shown_facts(false)).tasks) {
            if (task.name == suspended)
                return task.state;
        }
        return std::string();
    };
    EXPECT_EQ(state(), "waiting");
    adapter.set_tmmd(giving);
    for (int i = 0; i < 30 && requests.find("<resume_result>") == std::string::npos; ++i) {
        turn(adapter);
        EXPECT_EQ(state(), "waiting");
    }
    ASSERT_NE(requests.find("<resume_result>"), std::string::npos);
    suspended.clear();
    turn(adapter);
    for (const ShownTask& task : shown(adapter.shown_facts(false)).tasks)
        EXPECT_NE(task.state, "waiting") << task.name;
}

// A task that was swapped out looks small to the client.
TEST_F(Resting, SwapOfAProcessCountsAsItsTasksMemory) {
    begin();
    const auto suspends = [&](int swap_kib) {
        show_process(9069, 1, 60'000, swap_kib);
        std::string all;
        for (int i = 0; i < 3; ++i) {
            turn(adapter);
            all += requests;
        }
        return all.find("<suspend_result>") != std::string::npos;
    };
    adapter.set_tmmd(tells("giving", 2 * gib));
    EXPECT_FALSE(suspends(0));
    EXPECT_TRUE(suspends(3 << 20));
}

}  // namespace
}  // namespace tmm::boinc
