// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// AdapterTest: the adapter in a conversation with a client that answers as Debian's does (rpc/captured).
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/temp_tree.hpp"
#include "boinc-adapter/app/adapter.hpp"

namespace tmm::boinc {

constexpr std::uint64_t gib = 1U << 30;

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
    void answer(Adapter& adapter) {
        for (int round = 0; round < 100 && !adapter.session().outgoing().empty(); ++round) {
            const std::string request(adapter.session().outgoing());
            adapter.session().sent(request.size());
            requests += request;
            ASSERT_TRUE(adapter.session().received(reply_to(request) + "\003", seconds(0)));
            adapter.take_answers({seconds(time_s), seconds(time_s)});
        }
    }
    std::string reply_to(const std::string& request) const {
        const auto is = [&](const char* word) { return request.find(word) != std::string::npos; };
        if (is("exchange_versions"))
            return captured("exchange_versions");
        if (is("get_host_info"))
            return captured("get_host_info");
        if (is("get_global_prefs_working"))
            return captured(refuses ? "unauthorized" : "get_global_prefs_working");
        if (is("get_cc_status"))
            return captured("get_cc_status");
        if (is("get_results"))
            return has_tasks ? results() : "<boinc_gui_rpc_reply>\n<results>\n</results>\n</boinc_gui_rpc_reply>\n";
        if (is("get_state"))
            return has_works ? captured("get_state") : state_without_works();
        return captured(refuses ? "unauthorized" : "read_prefs");
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

    void connect(Adapter& adapter) const {
        adapter.session().begin(seconds(time_s));
        adapter.session().connected(seconds(time_s));
    }
    void turn(Adapter& adapter) {
        time_s += 2;
        requests.clear();
        adapter.begin_turn({seconds(time_s), seconds(time_s)});
        answer(adapter);
    }

    static constexpr const char* users_text = "<global_preferences>\n</global_preferences>  ";
    // Before the files, which open its directories.
    struct Tree : TempTree {
        Tree() { dir("proc").dir("state").file("data/global_prefs_override.xml", users_text); }
    };
    Tree tree_;
    Files files{tree_.root().subdir("data").value(), tree_.root().subdir("state").value()};
    Log log{"test", LogLevel::error, false};
    std::string requests;
    int time_s = 100;
    bool refuses = false;
    bool has_tasks = true;
    bool has_works = true;
    std::string suspended;  // a task that the client keeps in memory
};

// Two tasks execute, as processes 9069 and 9072.
class Resting : public AdapterTest {
protected:
    static constexpr pid_t client = 9000;

    void show_process(pid_t pid, int slot, int resident_kib) {
        const std::string folder = "proc/" + std::to_string(pid) + "/";
        tree_.file(folder + "stat", std::to_string(pid) + " (a) S 9000 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 39 19 1 0 500 1 2 3\n");
        tree_.file(folder + "status", "VmRSS:\t" + std::to_string(resident_kib) + " kB\nVmSwap:\t0 kB\n");
        const auto cwd = tree_.path() / folder / "cwd";
        if (!std::filesystem::is_symlink(cwd))
            std::filesystem::create_symlink("/var/lib/boinc/slots/" + std::to_string(slot), cwd);
    }
    void begin(Adapter& adapter) {
        show_process(9069, 1, 60'000);
        show_process(9072, 2, 60'000);
        tree_.file("proc/9000/task/9000/children", "9069 9072 ");
        ASSERT_TRUE(adapter.start({seconds(time_s), seconds(time_s)}));
        connect(adapter);
        adapter.set_tmmd(giving);
    }
    // The policy has to hold tasks.
    void begin_with_little(Adapter& adapter) {
        begin(adapter);
        adapter.set_tmmd({true, "giving", gib / 10, 0, "measured", 0});
        turn(adapter);
        turn(adapter);
    }
    // Returns whether there was a turn.
    bool tick(Adapter& adapter) {
        time_s += static_cast<int>(adapter.interval().count());
        if (!adapter.wants_turn(client, false, {seconds(time_s), seconds(time_s)}))
            return false;
        adapter.begin_turn({seconds(time_s), seconds(time_s)});
        answer(adapter);
        return true;
    }
    int turns(Adapter& adapter, int ticks) {
        int count = 0;
        for (int i = 0; i < ticks; ++i)
            count += tick(adapter) ? 1 : 0;
        return count;
    }

    const TmmdStatus giving{true, "giving", 12 * gib, 0, "measured", 0};
};

}  // namespace tmm::boinc
