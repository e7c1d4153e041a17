// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// AdapterTest: the adapter in a conversation with a client that answers as Debian's does (rpc/captured).
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/temp_tree.hpp"
#include "base/units.hpp"
#include "boinc-adapter/app/adapter.hpp"
#include "boinc-adapter/discovery/fake_processes.hpp"
#include "boinc-adapter/policy/tasks/test_sizes.hpp"
#include "boinc-adapter/rpc/override.hpp"
#include "boinc-adapter/rpc/replies.hpp"

namespace tmm::boinc {

inline TmmdStatus tells(const char* state, std::uint64_t limit_bytes = 4 * gib) {
    return {true, state, limit_bytes, 0, "measured", 0};
}

class AdapterTest : public testing::Test {
protected:
    using seconds = std::chrono::seconds;

    static std::string captured(const std::string& name) {
        std::ostringstream out;
        out << std::ifstream(std::string(TMM_CAPTURED) + "/7.20/" + name + ".xml").rdbuf();
        const std::string text = out.str();
        return text.substr(0, text.find('\003'));
    }

    // Answers all requests of the adapter, which it keeps.
    void answer(Adapter& one) {
        for (int round = 0; round < 100 && !one.session().outgoing().empty(); ++round) {
            const std::string request(one.session().outgoing());
            one.session().sent(request.size());
            requests += request;
            if (request.find("read_global_prefs_override") != std::string::npos)
                overrides_read.push_back(tree_.text("data/global_prefs_override.xml"));
            ASSERT_TRUE(one.session().received(reply_to(request) + "\003", seconds(0)));
            one.take_answers(now());
        }
    }
    std::string reply_to(const std::string& request) const {
        const auto is = [&](const char* word) { return request.find(word) != std::string::npos; };
        if (is("exchange_versions"))
            return captured("exchange_versions");
        if (is("get_host_info"))
            return captured("get_host_info");
        if (is("get_global_prefs_working"))
            return refuses ? captured("unauthorized") : working_preferences();
        if (is("get_cc_status"))
            return captured("get_cc_status");
        if (is("get_results"))
            return has_tasks ? results() : "<boinc_gui_rpc_reply>\n<results>\n</results>\n</boinc_gui_rpc_reply>\n";
        if (is("get_state"))
            return has_works ? captured("get_state") : state_without_works();
        return captured(refuses ? "unauthorized" : "read_prefs");
    }

    // As the client has read them last.
    std::string working_preferences() const {
        std::string text = captured("get_global_prefs_working");
        if (overrides_read.empty() || !can_read_override)
            return text;
        const Preferences read = preferences_of(overrides_read.back(), parse_preferences(text).value()).preferences;
        const auto set = [&](const std::string& name, const std::string& value) {
            const auto start = text.find("<" + name + ">") + name.size() + 2;
            text.replace(start, text.find('<', start) - start, value);
        };
        set("ram_max_used_busy_pct", format_fixed(read.busy_percent, 6));
        set("ram_max_used_idle_pct", format_fixed(read.idle_percent, 6));
        set("leave_apps_in_memory", read.leave_in_memory ? "1" : "0");
        return text;
    }

    std::string results() const {
        std::string text = captured("get_results");
        const std::string state = "<active_task_state>1<";
        const auto task = text.find("<name>" + suspended + "</name>");
        if (suspended.empty() || task == std::string::npos)
            return text;
        text.replace(text.find(state, task), state.size(), "<active_task_state>9<");
        return text.insert(task, "<suspended_via_gui/>\n");
    }

    // The client's list of tasks and the whole of its state are of two moments.
    std::string state_without_works() const {
        std::string text = captured("get_state");
        for (auto found = text.find("<workunit>"); found != std::string::npos; found = text.find("<workunit>")) {
            const std::string end = "</workunit>";
            text.erase(found, text.find(end, found) + end.size() - found);
        }
        return text;
    }

    [[nodiscard]] Now now() const { return {seconds(time_s), seconds(time_s)}; }
    void start(Adapter& one) const {
        ASSERT_TRUE(one.start(now()));
        connect(one);
    }
    void connect(Adapter& one) const {
        one.session().begin(seconds(time_s));
        one.session().connected(seconds(time_s));
    }
    void turn(Adapter& one) {
        time_s += 2;
        requests.clear();
        one.begin_turn(now());
        answer(one);
    }

    // Leaves all as an adapter that is killed while tmmd gives.
    void kill_one() {
        Adapter killed(root, files, log, false);
        start(killed);
        killed.set_tmmd(tells("giving"));
        turn(killed);
    }

    static constexpr const char* users_text = "<global_preferences>\n</global_preferences>  ";
    // Before the files, which open its directories.
    struct Tree : TempTree {
        Tree() { dir("proc").dir("state").file("data/global_prefs_override.xml", users_text); }
    };
    Tree tree_;
    Files files{tree_.root().subdir("data").value(), tree_.root().subdir("state").value()};
    Log log{"test", LogLevel::error, false};
    const RootDir root = tree_.root();
    Adapter adapter{root, files, log, false};
    std::string requests;
    std::vector<std::string> overrides_read;  // by the client
    int time_s = 100;
    bool refuses = false;
    bool can_read_override = true;
    bool has_tasks = true;
    bool has_works = true;
    std::string suspended;  // a task that the client keeps in memory
};

// Two tasks execute, as processes 9069 and 9072.
class Resting : public AdapterTest {
protected:
    static constexpr pid_t client = 9000;

    void show_process(pid_t pid, int slot, int resident_kib, int swap_kib = 0) {
        put_process(tree_, {pid, resident_kib, swap_kib, client});
        put_directory(tree_, pid, "/var/lib/boinc/slots/" + std::to_string(slot));
    }
    void begin() {
        show_process(9069, 1, 60'000);
        show_process(9072, 2, 60'000);
        tree_.file("proc/9000/task/9000/children", "9069 9072 ");
        start(adapter);
        adapter.set_tmmd(giving);
    }
    // The policy has to hold tasks.
    void begin_with_little() {
        begin();
        adapter.set_tmmd(tells("giving", gib / 10));
        turn(adapter);
        turn(adapter);
    }
    // Returns the first task that the policy suspended in the last turn.
    std::string held_task() const {
        const auto name = requests.find("<name>", requests.find("<suspend_result>")) + 6;
        return requests.substr(name, requests.find('<', name) - name);
    }
    // Returns whether there was a turn.
    bool tick() {
        time_s += static_cast<int>(adapter.interval().count());
        if (!adapter.wants_turn(client, false, now()))
            return false;
        adapter.begin_turn(now());
        answer(adapter);
        return true;
    }
    int turns(int ticks) {
        int count = 0;
        for (int i = 0; i < ticks; ++i)
            count += tick() ? 1 : 0;
        return count;
    }

    const TmmdStatus giving = tells("giving", 12 * gib);
};

}  // namespace tmm::boinc
