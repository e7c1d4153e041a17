// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The adapter while the client refuses, hangs, freezes or forgets, after a kill, and with damaged files.
#include <gtest/gtest.h>

#include <filesystem>

#include "boinc-adapter/app/adapter.hpp"
#include "boinc-adapter/app/adapter_fixture.hpp"

namespace tmm::boinc {
namespace {

using std::chrono::seconds;

TEST_F(AdapterTest, AfterAKillTheNextOneBringsThePreferencesBackFirst) {
    kill_one();
    ASSERT_NE(tree_.text("data/global_prefs_override.xml"), users_text);
    Adapter next(root, files, log, false);
    start(next);
    turn(next);
    EXPECT_EQ(requests, "");  // the client first carries out what the killed one ordered
    time_s += 3;
    turn(next);
    turn(next);
    EXPECT_EQ(tree_.text("data/global_prefs_override.xml"), users_text);
    EXPECT_TRUE(next.is_clean());
}

TEST_F(AdapterTest, WithoutAClientAKilledOnesPreferencesAreStillToBeBroughtBack) {
    kill_one();
    Adapter next(root, files, log, false);
    ASSERT_TRUE(next.start(now()));
    next.session().begin(seconds(time_s));
    next.session().lost(seconds(time_s));
    next.lost();
    EXPECT_FALSE(next.has_nothing_left());
    ASSERT_TRUE(next.restore_override());
    EXPECT_EQ(tree_.text("data/global_prefs_override.xml"), users_text);
}

TEST_F(AdapterTest, RefusedOnceItOnlyReads) {
    start(adapter);
    turn(adapter);
    adapter.set_tmmd(tells("paused"));
    refuses = true;
    turn(adapter);
    EXPECT_EQ(adapter.session().access(), Session::Access::read_only);
    turn(adapter);
    EXPECT_EQ(requests.find("set_run_mode"), std::string::npos);
    EXPECT_NE(requests.find("get_results"), std::string::npos);
}

TEST_F(AdapterTest, ARefusedQuestionIsTheLastOfItsKind) {
    start(adapter);
    adapter.set_tmmd(tells("paused"));
    refuses = true;
    turn(adapter);
    EXPECT_NE(requests.find("get_global_prefs_working"), std::string::npos);
    EXPECT_EQ(shown(adapter.shown_facts(false)).state, "read-only");
    EXPECT_EQ(shown(adapter.shown_facts(false)).tasks.size(), 3U);
    turn(adapter);
    EXPECT_EQ(requests.find("get_global_prefs_working"), std::string::npos);
    EXPECT_EQ(requests.find("set_run_mode"), std::string::npos);
    EXPECT_TRUE(adapter.is_clean()) << "nothing is left to undo";
}

TEST_F(AdapterTest, WithoutThePasswordItOnlyReads) {
    ASSERT_TRUE(adapter.start(now()));
    adapter.set_password(Error::from_errno(EACCES, "gui_rpc_auth.cfg"));
    connect(adapter);
    adapter.set_tmmd(tells("paused"));
    turn(adapter);
    EXPECT_EQ(requests.find("get_global_prefs_working"), std::string::npos);
    EXPECT_EQ(shown(adapter.shown_facts(false)).state, "read-only");
    EXPECT_TRUE(adapter.is_clean());
}

TEST_F(AdapterTest, AnotherConnectionStartsAfresh) {
    start(adapter);
    adapter.set_tmmd(tells("giving"));
    turn(adapter);
    ASSERT_NE(tree_.text("data/global_prefs_override.xml"), users_text);
    adapter.session().lost(seconds(time_s));
    adapter.lost();
    // The next client reads it when it starts, and its user may change it until then.
    EXPECT_EQ(tree_.text("data/global_prefs_override.xml"), users_text);
    EXPECT_FALSE(adapter.has_nothing_left()) << "the same client still has TMM's limit";
    const std::string changed = "<global_preferences><max_ncpus_pct>40</max_ncpus_pct></global_preferences>";
    tree_.file("data/global_prefs_override.xml", changed);
    connect(adapter);
    time_s += 2;
    adapter.begin_turn(now());
    // The values of TMM must not be taken for the user's.
    EXPECT_EQ(tree_.text("data/global_prefs_override.xml"), changed);
    requests.clear();
    answer(adapter);
    EXPECT_LT(requests.find("read_global_prefs_override"), requests.find("get_global_prefs_working"));
    EXPECT_NE(tree_.text("data/global_prefs_override.xml"), users_text);
}

// A client with many thousands of tasks.
TEST_F(AdapterTest, AStateThatIsTooLongIsNotAskedForAllTheTime) {
    ASSERT_TRUE(adapter.start(now()));
    adapter.set_tmmd(tells("giving"));
    std::vector<int> asked;
    const int begin_s = time_s;
    for (; time_s < begin_s + 1000; ++time_s) {
        const Now moment = now();
        if (adapter.session().wants_connection(moment.elapsed))
            connect(adapter);
        adapter.begin_turn(moment);
        while (!adapter.session().outgoing().empty()) {
            const std::string request(adapter.session().outgoing());
            adapter.session().sent(request.size());
            if (request.find("read_global_prefs_override") != std::string::npos)
                overrides_read.push_back(tree_.text("data/global_prefs_override.xml"));
            if (request.find("get_state") == std::string::npos) {
                ASSERT_TRUE(adapter.session().received(reply_to(request) + "\003", moment.elapsed));
                adapter.take_answers(moment);
                continue;
            }
            asked.push_back(time_s - begin_s);
            ASSERT_FALSE(
                adapter.session().received(std::string(FrameReader::max_frame_bytes + 1, 'x'), moment.elapsed).has_value());
            adapter.session().lost(moment.elapsed);
            adapter.lost();
        }
    }
    EXPECT_EQ(asked, (std::vector<int>{0, 600}));
    // New tasks, of which nobody knows the memory, run under the user's limit.
    EXPECT_NE(tree_.text("data/global_prefs_override.xml").find("<ram_max_used_busy_pct>80.0"), std::string::npos)
        << tree_.text("data/global_prefs_override.xml");
    EXPECT_EQ(shown(adapter.shown_facts(false)).tasks.size(), 3U) << "the rest goes on";
}

TEST_F(AdapterTest, AStateThatCannotBeReadIsAskedForAgainAfterTenMinutes) {
    using std::chrono::minutes;
    ClientAnswers told;
    ASSERT_TRUE(told.take(Question::tasks, captured("get_results")));
    EXPECT_TRUE(told.wants_works(Now()));
    told.asked_for_works(Now());
    EXPECT_TRUE(told.wants_works({minutes(1), minutes(1)}));
    ASSERT_FALSE(told.take(Question::works, "nonsense"));
    EXPECT_FALSE(told.wants_works({minutes(9), minutes(9)}));
    EXPECT_TRUE(told.wants_works({minutes(10), minutes(10)}));
}

TEST(ClientAnswers, TellTheLimitOfAddressSpace) {
    const auto limit = [](int release, const std::string& swap, const std::string& percent) {
        const auto reply = [](const std::string& text) { return "<boinc_gui_rpc_reply>" + text + "</boinc_gui_rpc_reply>"; };
        ClientAnswers told;
        EXPECT_TRUE(told.take(Question::versions, reply("<server_version><major>8</major><minor>2</minor><release>" +
                                                        std::to_string(release) + "</release></server_version>")));
        EXPECT_TRUE(
            told.take(Question::host, reply("<host_info><m_nbytes>1e9</m_nbytes><m_swap>" + swap + "</m_swap></host_info>")));
        EXPECT_TRUE(told.take(Question::check, reply("<global_preferences><vm_max_used_pct>" + percent +
                                                     "</vm_max_used_pct></global_preferences>")));
        return told.address_limit();
    };
    EXPECT_EQ(limit(14, "8e8", "75.000000"), 600'000'000U);
    EXPECT_EQ(limit(13, "8e8", "75.000000"), std::nullopt) << "an earlier client";
    EXPECT_EQ(limit(14, "0.000000", "75.000000"), std::nullopt) << "without swap it measures nothing";
    EXPECT_EQ(limit(14, "8e8", "0"), std::nullopt);
}

TEST_F(AdapterTest, PreferencesThatCouldNotBeSavedAreWrittenAMinuteLater) {
    start(adapter);
    const auto writes = [&](int passed_s) {
        time_s += passed_s;
        turn(adapter);
        return requests.find("read_global_prefs_override") != std::string::npos;
    };
    adapter.set_tmmd(tells("giving", 12 * gib));
    for (int i = 0; i < 20; ++i)
        writes(0);
    const auto backup = tree_.path() / "state/override";
    std::filesystem::remove(backup);
    std::filesystem::create_directory(backup);
    adapter.set_tmmd(tells("giving", 2 * gib));
    EXPECT_FALSE(writes(20));
    EXPECT_EQ(shown(adapter.shown_facts(false)).state, "trouble");
    std::filesystem::remove(backup);
    EXPECT_FALSE(writes(50));
    EXPECT_TRUE(writes(10));
}

TEST_F(AdapterTest, WaitsForAnOverrideThatIsBeingWritten) {
    start(adapter);
    adapter.set_tmmd(tells("giving"));
    turn(adapter);
    tree_.file("data/global_prefs_override.xml", "");
    adapter.set_tmmd(tells("paused"));
    turn(adapter);
    EXPECT_EQ(tree_.text("data/global_prefs_override.xml"), "");
    EXPECT_EQ(requests.find("read_global_prefs_override"), std::string::npos);
    EXPECT_NE(requests.find("<never/>"), std::string::npos) << "the rest goes on";
    EXPECT_EQ(shown(adapter.shown_facts(false)).state, "working");
    tree_.file("data/global_prefs_override.xml", "<global_preferences><max_ncpus_pct>40</max_ncpus_pct></global_preferences>");
    turn(adapter);
    EXPECT_NE(requests.find("read_global_prefs_override"), std::string::npos);
    EXPECT_NE(tree_.text("data/global_prefs_override.xml").find("<max_ncpus_pct>40"), std::string::npos);
}

// A client that is frozen for ten minutes in the midst of a turn, and the pause that froze it.
TEST_F(AdapterTest, AFreezeIsNoFailureAndItsFactsAreNotDecidedUpon) {
    start(adapter);
    adapter.set_tmmd(tells("giving"));
    turn(adapter);
    adapter.set_tmmd(tells("paused"));
    time_s += 2;
    adapter.begin_turn(now());
    for (int i = 0; i < 300; ++i) {
        time_s += 2;
        adapter.client_is_frozen(now());
        EXPECT_FALSE(adapter.session().expired(seconds(time_s)));
        EXPECT_EQ(shown(adapter.shown_facts(true)).state, "working");
    }
    EXPECT_EQ(shown(adapter.shown_facts(true)).tasks.size(), 3U);
    // Thawed, it answers before tmmd tells that the pause is over.
    requests.clear();
    answer(adapter);
    EXPECT_EQ(requests.find("<never/>"), std::string::npos);
    adapter.await_tmmd();
    turn(adapter);
    EXPECT_EQ(requests.find("<never/>"), std::string::npos);
    adapter.set_tmmd(tells("giving"));
    turn(adapter);
    EXPECT_EQ(requests.find("<never/>"), std::string::npos);
    EXPECT_NE(requests.find("get_results"), std::string::npos);
}

TEST_F(AdapterTest, AfterAFreezeAClientFirstCarriesOutWhatAKilledAdapterAsked) {
    kill_one();
    Adapter next(root, files, log, false);
    ASSERT_TRUE(next.start(now()));
    time_s += 600;
    next.client_is_frozen(now());
    connect(next);
    turn(next);
    EXPECT_EQ(requests, "");
    time_s += 3;
    turn(next);
    EXPECT_NE(requests, "");
}

TEST_F(AdapterTest, ADamagedAccountOfDaysBeginsAnew) {
    tree_.file("state/days", "nonsense");
    ASSERT_TRUE(adapter.start(now()));
    EXPECT_TRUE(adapter.days().empty());
    EXPECT_EQ(tree_.text("state/days.bad"), "nonsense");
}

TEST_F(Resting, HeldTasksGoOnThoughThePreferencesCannotBeWritten) {
    begin_with_little();
    ASSERT_NE(requests.find("suspend_result"), std::string::npos);
    const auto override_file = tree_.path() / "data/global_prefs_override.xml";
    std::filesystem::remove(override_file);
    std::filesystem::create_directory(override_file);
    adapter.set_tmmd({});
    suspended = held_task();
    turn(adapter);
    EXPECT_NE(requests.find("resume_result"), std::string::npos);
    EXPECT_EQ(requests.find("read_global_prefs_override"), std::string::npos);
}

// What the client reads back decides, and not what was written: it may be unable to read the file, or read it in its own way.
TEST_F(Resting, NoTaskIsHeldWhileTheClientReadsOtherPreferences) {
    can_read_override = false;
    begin();
    adapter.set_tmmd(tells("giving", gib / 10));
    std::string all;
    for (int i = 0; i < 40; ++i) {
        turn(adapter);
        all += requests;
    }
    EXPECT_EQ(all.find("suspend_result"), std::string::npos);
    const Shown now = shown(adapter.shown_facts(false));
    EXPECT_EQ(now.state, "trouble");
    EXPECT_NE(now.message.find("BOINC read 80.00 and 80.00 % of memory, tasks not kept there, but TMM wrote"), std::string::npos)
        << now.message;
    can_read_override = true;
    for (int i = 0; i < 40 && requests.find("suspend_result") == std::string::npos; ++i)
        turn(adapter);
    EXPECT_NE(requests.find("suspend_result"), std::string::npos);
    EXPECT_EQ(shown(adapter.shown_facts(false)).state, "working");
}

TEST_F(Resting, AStopFollowsAPushOnceTheClientHasToldWhatItRead) {
    begin();
    adapter.set_tmmd(tells("paused"));
    turn(adapter);
    const auto read = requests.find("read_global_prefs_override");
    ASSERT_NE(read, std::string::npos);
    EXPECT_LT(requests.find("get_global_prefs_working", read), requests.find("set_run_mode"));
    EXPECT_NE(requests.find("set_run_mode"), std::string::npos);
}

// A client that reads an override without the order to keep tasks ends those that stand still, with all work since their
// checkpoints.
class KeptInMemory : public Resting {
protected:
    KeptInMemory() {
        begin_with_little();
        suspended = held_task();
        overrides_read.clear();
    }
    void expect_that_all_keep_tasks() {
        for (const std::string& text : overrides_read)
            EXPECT_NE(text.find("<leave_apps_in_memory>1<"), std::string::npos) << text;
        overrides_read.clear();
    }
    // TMM ends: it lets the task go on and brings the user's preferences back.
    void end(Adapter& one) {
        one.set_tmmd({});
        for (int i = 0; i < 3 && requests.find("resume_result") == std::string::npos; ++i)
            turn(one);
        EXPECT_NE(requests.find("resume_result"), std::string::npos);
        expect_that_all_keep_tasks();
        suspended.clear();
        turn(one);
        turn(one);
        EXPECT_EQ(tree_.text("data/global_prefs_override.xml"), users_text);
        EXPECT_EQ(overrides_read, std::vector<std::string>{users_text});
        EXPECT_TRUE(one.is_clean());
    }
};

TEST_F(KeptInMemory, UntilItRunsAgainAtTheEnd) {
    end(adapter);
}

TEST_F(KeptInMemory, ByTheAdapterThatFollowsAKilledOne) {
    for (const bool gives : {true, false}) {
        Adapter next(root, files, log, false);
        start(next);
        time_s += 3;
        next.set_tmmd(tells("giving", gib / 10));
        // The killed one wrote down what it knew: the client need not read the user's own in order to tell them.
        if (gives) {
            turn(next);
            expect_that_all_keep_tasks();
        } else {
            end(next);
        }
    }
}

TEST_F(KeptInMemory, WhenTheConnectionIsLost) {
    adapter.session().lost(seconds(time_s));
    adapter.lost();
    connect(adapter);
    turn(adapter);
    turn(adapter);
    EXPECT_FALSE(overrides_read.empty());
    expect_that_all_keep_tasks();
}

TEST_F(KeptInMemory, WhilePreferencesComeFromTheWebWhichCountLater) {
    tree_.file("data/global_prefs.xml", "new");
    turn(adapter);
    turn(adapter);
    EXPECT_FALSE(overrides_read.empty());
    expect_that_all_keep_tasks();
    adapter.set_tmmd(giving);
    requests.clear();
    std::string all;
    for (int i = 0; i < 40; ++i) {
        turn(adapter);
        all += requests;
        if (requests.find("resume_result") != std::string::npos)
            suspended.clear();
    }
    EXPECT_NE(all.find("get_global_prefs_working"), std::string::npos);
}

TEST_F(KeptInMemory, WhileItsUserSetsALowerLimitWhichCountsAtOnce) {
    tree_.file("data/global_prefs_override.xml",
               "<global_preferences><ram_max_used_busy_pct>3</ram_max_used_busy_pct><ram_max_used_idle_pct>4"
               "</ram_max_used_idle_pct><leave_apps_in_memory>0</leave_apps_in_memory></global_preferences>");
    for (int i = 0; i < 3; ++i)
        turn(adapter);
    ASSERT_FALSE(overrides_read.empty());
    EXPECT_NE(overrides_read.back().find("<ram_max_used_busy_pct>3."), std::string::npos) << overrides_read.back();
    expect_that_all_keep_tasks();
}

// It goes on; then the client is killed and starts with it suspended.
class Resumed : public Resting {
protected:
    void goes_on() {
        tree_.file("data/client_state.xml", "suspended");
        begin_with_little();
        ASSERT_NE(requests.find("suspend_result"), std::string::npos);
        const std::string task = suspended = held_task();
        adapter.set_tmmd(giving);
        requests.clear();
        for (int i = 0; i < 40 && requests.find("resume_result") == std::string::npos; ++i)
            turn(adapter);
        ASSERT_NE(requests.find("resume_result"), std::string::npos);
        suspended.clear();
        turn(adapter);
        suspended = task;
    }
    // Returns whether it is told again to go on.
    bool goes_on_after_a_kill() {
        adapter.session().lost(seconds(time_s));
        adapter.lost();
        connect(adapter);
        for (int i = 0; i < 40; ++i) {
            turn(adapter);
            if (requests.find("resume_result") != std::string::npos)
                return true;
        }
        return false;
    }
};

TEST_F(Resumed, GoesOnAgainAfterAKillOfAClientThatHadNotSavedIt) {
    goes_on();
    EXPECT_TRUE(goes_on_after_a_kill());
}

TEST_F(Resumed, IsTheUsersAfterAKillOfAClientThatHadSavedIt) {
    goes_on();
    tree_.file("data/client_state.xml", "saved later");
    EXPECT_FALSE(goes_on_after_a_kill());
}

TEST_F(Resting, ADetachedProjectLeavesNothingBehind) {
    begin_with_little();
    ASSERT_NE(requests.find("suspend_result"), std::string::npos);
    ASSERT_NE(tree_.text("state/state").find("held"), std::string::npos);
    has_tasks = false;
    turn(adapter);
    EXPECT_EQ(requests.find("_result>"), std::string::npos) << "the client has no such task";
    EXPECT_EQ(tree_.text("state/state").find("held"), std::string::npos);
    EXPECT_TRUE(shown(adapter.shown_facts(false)).tasks.empty());
    EXPECT_FALSE(adapter.has_tasks_outside());
    adapter.set_tmmd({});
    turn(adapter);
    turn(adapter);
    EXPECT_EQ(tree_.text("data/global_prefs_override.xml"), users_text);
    EXPECT_TRUE(adapter.is_clean());
}

TEST_F(AdapterTest, ADamagedStateIsPutAsideAndThePreferencesComeBack) {
    kill_one();
    tree_.file("state/state", "nonsense");
    Adapter dry(root, files, log, true);
    ASSERT_TRUE(dry.start(now()));
    EXPECT_EQ(tree_.text("state/state"), "nonsense");
    Adapter next(root, files, log, false);
    ASSERT_TRUE(next.start(now()));
    EXPECT_EQ(tree_.text("state/state.bad"), "nonsense");
    ASSERT_TRUE(next.restore_override());
    EXPECT_EQ(tree_.text("data/global_prefs_override.xml"), users_text);
}

TEST_F(AdapterTest, AStateThatCannotBePutAsideKeepsNoPreferencesBack) {
    kill_one();
    tree_.file("state/state", "nonsense").file("state/state.bad/file", "");
    Adapter next(root, files, log, false);
    EXPECT_FALSE(next.start(now()).has_value());
    EXPECT_EQ(tree_.text("data/global_prefs_override.xml"), users_text);
}

TEST_F(AdapterTest, ADamagedBackupStopsItBeforeItDoesHarm) {
    tree_.file("state/override", "nonsense");
    EXPECT_FALSE(adapter.start(now()).has_value());
    EXPECT_EQ(tree_.text("state/override"), "nonsense");
}

}  // namespace
}  // namespace tmm::boinc
