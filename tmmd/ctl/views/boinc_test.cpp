// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/views/boinc.hpp"

#include <gtest/gtest.h>

#include "tmmd/ctl/views/fake_status.hpp"
#include "tmmd/ctl/views/status.hpp"

namespace tmm::ctl {
namespace {

Boinc two_tasks() {
    Boinc boinc;
    boinc.version = "0.1.0";
    boinc.state = "working";
    boinc.client_version = "7.20.5";
    boinc.tasks = {{"Einstein@Home", "Gamma-ray search", "LATeah_1", "running", 0.4234, gb, 0, 0, false},
                   {"Rosetta", "mini", "fold_7", "waiting", 0, 0, gb, gb * 6 / 5, false}};
    boinc.days = {{"2026-11-22", 7200, 3600.0 * gb}, {"2026-11-23", 18'720, 5400.0 * gb}};
    return boinc;
}

TEST(Boinc, IsShownForPeople) {
    EXPECT_EQ(format_boinc(two_tasks(), {}),
              "working: BOINC 7.20.5 follows tmmd\n"
              "\n"
              "PROJECT        APPLICATION       TASK      PROGRESS   MEMORY  STATE\n"
              "Einstein@Home  Gamma-ray search  LATeah_1    42.3 %  1.0 GiB  running\n"
              "Rosetta        mini              fold_7       0.0 %      0 B  waits for 1.2 GiB\n"
              "\n"
              "DAY         SCIENCE        DONATED\n"
              "2026-11-22    2.0 h  1.0 GiB hours\n"
              "2026-11-23    5.2 h  1.5 GiB hours\n");
}

TEST(Boinc, ATaskWithoutProcessesHasNoMemory) {
    Boinc boinc = two_tasks();
    boinc.tasks[1].state = "queued";
    boinc.tasks[1].swap_bytes = 0;
    EXPECT_NE(format_boinc(boinc, {}).find("fold_7       0.0 %        -  has not begun\n"), std::string::npos)
        << format_boinc(boinc, {});
}

TEST(Boinc, EachTaskWithMemoryIsAContribution) {
    std::vector<BoincTask> tasks = two_tasks().tasks;
    tasks.push_back({"Rosetta", "mini", "in_docker", "running", 0, gb, 0, 0, true});
    tasks.push_back({"Rosetta", "mini", "to_come", "queued", 0, 0, 0, 0, false});
    EXPECT_EQ(
        format_contributions(
            {{"/c/1", "boinc-client.service", 0, 2 * gb, "running", 100}, {"/c/2", "povray", 0, gb, "running", 50}}, {}, tasks),
        "CONTRIBUTION               USER   MEMORY  STATE              WEIGHT\n"
        "boinc-client.service       root  2.0 GiB  running               100\n"
        "  Einstein@Home: LATeah_1  root  1.0 GiB  running\n"
        "  Rosetta: fold_7          root      0 B  waits for 1.2 GiB\n"
        "povray                     root  1.0 GiB  running                50\n");
}

TEST(Boinc, WordsTellWhyATaskStandsStill) {
    BoincTask task = two_tasks().tasks[1];
    EXPECT_EQ(task_sentence(task), "waits for 1.2 GiB");
    task.needed_bytes = 0;
    EXPECT_EQ(task_sentence(task), "waits for memory");
    const std::vector<std::pair<std::string, std::string>> words{{"running", "running"},
                                                                 {"paused", "paused while nothing is given"},
                                                                 {"suspended", "suspended in BOINC"},
                                                                 {"queued", "has not begun"},
                                                                 {"ending", "is about to end"},
                                                                 {"of a later version", "of a later version"}};
    for (const auto& [state, said] : words) {
        task.state = state;
        EXPECT_EQ(task_sentence(task), said);
    }
    task.state = "running";
    task.outside = true;
    EXPECT_EQ(task_sentence(task), "running; no contribution");
}

TEST(Boinc, TroubleIsToldWithItsReason) {
    Boinc boinc;
    boinc.state = "no-client";
    boinc.message = "no client answers: start boinc-client";
    EXPECT_EQ(format_boinc(boinc, {}), "no-client: no client answers: start boinc-client\n\nBOINC has no unfinished task.\n");
    boinc.tasks_outside = 2;
    EXPECT_NE(format_boinc(boinc, {}).find("Tasks that are no contributions: 2. "), std::string::npos);
}

TEST(Boinc, OtherClientsAreToldBeforeTheTasks) {
    Boinc boinc = two_tasks();
    boinc.other_clients = {"Another runs as user ann\x1b.", "So does a third."};
    EXPECT_EQ(format_boinc(boinc, {}).find("working: BOINC 7.20.5 follows tmmd\n"
                                           "Another runs as user ann\\x1b.\n"
                                           "So does a third.\n\nPROJECT"),
              0U)
        << format_boinc(boinc, {});
    EXPECT_NE(boinc_json(boinc).find("\"other_clients\": [\"Another runs as user ann\\u001b.\", \"So does a third.\"]"),
              std::string::npos)
        << boinc_json(boinc);
}

TEST(Boinc, TheTextHasTheLastWeekOnly) {
    Boinc boinc = two_tasks();
    boinc.days.clear();
    for (int day = 1; day <= 31; ++day)
        boinc.days.push_back({"2026-10-" + std::to_string(day), 1, 1});
    const std::string text = format_boinc(boinc, {});
    EXPECT_EQ(text.find("2026-10-24"), std::string::npos);
    EXPECT_NE(text.find("2026-10-25"), std::string::npos);
    EXPECT_NE(text.find("2026-10-31"), std::string::npos);
    EXPECT_NE(boinc_json(boinc).find("2026-10-1\""), std::string::npos);
}

TEST(Boinc, NamesCannotSteerTheTerminalNorWidenIt) {
    Boinc boinc = two_tasks();
    boinc.state = "work\x1bing";
    boinc.message = "\x1b[2J\n";
    boinc.tasks[0].name = std::string(4000, 'x') + "\x1b]0;title\x07";
    boinc.tasks[0].project =
        "\xe2\x80\xae"
        "evil\r";
    boinc.tasks[1].state = "\x07";
    boinc.days[0].date = "\x1b[31m";
    const std::string text = format_boinc(boinc, {false, false, 80, 0});
    for (const char c : {'\x1b', '\x07', '\r'})
        EXPECT_EQ(text.find(c), std::string::npos);
    EXPECT_NE(text.find("\\u202eevil"), std::string::npos);
    EXPECT_EQ(text.find(std::string(80, 'x')), std::string::npos);
}

TEST(Boinc, JsonHasEveryValue) {
    Boinc boinc = two_tasks();
    boinc.tasks.erase(boinc.tasks.begin());
    boinc.days.erase(boinc.days.begin());
    boinc.tasks[0].progress = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(boinc_json(boinc),
              "{\"state\": \"working\", \"message\": \"\", \"client_version\": \"7.20.5\", \"tasks_outside\": 0, "
              "\"other_clients\": [], \"tasks\": [{\"project\": \"Rosetta\", \"application\": \"mini\", \"name\": \"fold_7\", "
              "\"state\": \"waiting\", "
              "\"progress_share\": null, \"memory_bytes\": 0, \"swap_bytes\": 1073741824, \"needed_bytes\": 1288490188, "
              "\"outside\": false}], \"days\": [{\"date\": \"2026-11-23\", \"checkpointed_s\": 18720, "
              "\"given_byte_seconds\": 5798205849600}], \"adapter_version\": \"0.1.0\"}\n");
}

}  // namespace
}  // namespace tmm::ctl
