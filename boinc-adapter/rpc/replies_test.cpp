// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// captured/ holds replies of Debian's clients 7.16.16, 7.20.5, 8.0.4 and 8.2.15, which ran three tasks; one of them was
// suspended. boinc-adapter/tests/capture writes them.
#include "boinc-adapter/rpc/replies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>

namespace tmm::boinc {
namespace {

std::string captured(const std::string& version, const std::string& name) {
    std::ostringstream out;
    out << std::ifstream(std::string(TMM_CAPTURED) + "/" + version + "/" + name + ".xml").rdbuf();
    return out.str();
}

std::string in_reply(const std::string& body) {
    return "<boinc_gui_rpc_reply>\n" + body + "</boinc_gui_rpc_reply>\n";
}

class CapturedReplies : public testing::TestWithParam<std::string> {
protected:
    [[nodiscard]] static std::string reply(const std::string& name) { return captured(GetParam(), name); }
};
INSTANTIATE_TEST_SUITE_P(Clients, CapturedReplies, testing::Values("7.16", "7.20", "8.0", "8.2"));

TEST_P(CapturedReplies, TellTheVersion) {
    const Version version = parse_version(reply("exchange_versions")).value();
    EXPECT_EQ(std::to_string(version.major) + "." + std::to_string(version.minor), GetParam());
}

TEST_P(CapturedReplies, TellTheTasks) {
    const auto tasks = parse_tasks(reply("get_results")).value();
    ASSERT_EQ(tasks.size(), 3U);
    const auto find = [&](const std::string& name) {
        return *std::find_if(tasks.begin(), tasks.end(), [&](const Task& task) { return task.id.name == name; });
    };
    const Task running = find("wu_a_0");
    EXPECT_EQ(running.id.project_url, "http://127.0.0.1:9/offline/");
    EXPECT_EQ(running.work_name, "wu_a");
    EXPECT_TRUE(running.is_unfinished);
    EXPECT_FALSE(running.suspended_by_gui);
    ASSERT_TRUE(running.active);
    EXPECT_EQ(running.active->state, ProcessState::executing);
    EXPECT_GT(running.active->pid, 0);
    EXPECT_GE(running.active->slot, 0);
    EXPECT_GT(running.active->resident_bytes, 20U << 20);
    EXPECT_GT(running.active->smoothed_bytes, 0U);
    EXPECT_GT(running.active->address_bytes, running.active->resident_bytes);
    EXPECT_GT(running.active->checkpoint_cpu.count(), 0);
    EXPECT_GE(running.active->current_cpu, running.active->checkpoint_cpu);

    const Task suspended = find("wu_b_0");
    EXPECT_TRUE(suspended.suspended_by_gui);
    // Its preferences do not leave it in memory, so it ended; the process id is an old one.
    EXPECT_EQ(suspended.active->state, ProcessState::none);
    EXPECT_GT(suspended.active->pid, 0);
}

TEST_P(CapturedReplies, TellTheMode) {
    const ModeStatus before = parse_mode(reply("get_cc_status")).value();
    EXPECT_EQ(before.current, RunMode::automatic);
    EXPECT_EQ(before.delay.count(), 0);
    const ModeStatus stopped = parse_mode(reply("get_cc_status_never")).value();
    EXPECT_EQ(stopped.current, RunMode::never);
    EXPECT_EQ(stopped.permanent, RunMode::automatic);
    EXPECT_NEAR(stopped.delay.count(), 18, 1);
}

TEST_P(CapturedReplies, TellMemoryAndPreferences) {
    EXPECT_GT(parse_memory_bytes(reply("get_host_info")).value(), 1U << 30);
    EXPECT_EQ(parse_preferences(reply("get_global_prefs_working")).value(), (Preferences{80, 80, false}));
    EXPECT_EQ(parse_swap_percent(reply("get_global_prefs_working")).value(), GetParam() == "8.2" ? 100 : 75);
}

TEST_P(CapturedReplies, TellTheBoundsOfWorkThoughAnAmpersandIsNotEscaped) {
    ASSERT_NE(reply("get_state").find("Memory & time"), std::string::npos);
    const Works works = parse_works(reply("get_state")).value();
    ASSERT_EQ(works.size(), 3U);
    EXPECT_EQ(works.at("wu_b").app_name, "memory");
    EXPECT_EQ(works.at("wu_b").application, "Memory & time");
    EXPECT_EQ(works.at("wu_b").project, "offline");
    EXPECT_EQ(works.at("wu_b").bound_bytes, 360U << 20);
}

// Not captured: tags that a client prints only for some tasks. Written by hand after its sources.
TEST(HandWrittenReplies, TellATaskThatIsTooLargeOrUsesAGraphicsCard) {
    const auto task = [](const std::string& more, const std::string& resources = "1 CPU") {
        return parse_tasks(in_reply("<results>\n<result>\n    <name>a_0</name>\n    <project_url>http://p/</project_url>\n"
                                    "    <state>2</state>\n<active_task>\n    <active_task_state>1</active_task_state>\n"
                                    "    <pid>77</pid>\n    <working_set_size>5000.000000</working_set_size>\n" +
                                    more +
                                    "   <needs_shmem/>\n   <web_graphics_url>http://localhost:1</web_graphics_url>\n"
                                    "   <remote_desktop_addr>localhost:2</remote_desktop_addr>\n"
                                    "</active_task>\n    <resources>" +
                                    resources + "</resources>\n</result>\n</results>\n"))
            .value()
            .at(0);
    };
    EXPECT_TRUE(task("   <too_large/>\n").active->too_large);
    EXPECT_FALSE(task("").active->too_large);
    EXPECT_EQ(task("").active->pid, 77);
    EXPECT_EQ(task("").active->resident_bytes, 5000U);
    EXPECT_FALSE(task("").uses_gpu);
    EXPECT_TRUE(task("", "0.05 CPUs + 1 NVIDIA GPU").uses_gpu);
    EXPECT_TRUE(task("", "1 CPU + 1 AMD/ATI GPU").uses_gpu);
}

TEST(Works, BelongToTheProjectBeforeThem) {
    const Works works = parse_works(in_reply("<client_state>"
                                             "<workunit><name>stray</name><app_name>sim</app_name></workunit>"
                                             "<project><project_name>One</project_name></project>"
                                             "<app><name>sim</name><user_friendly_name>First</user_friendly_name></app>"
                                             "<workunit><name>a</name><app_name>sim</app_name></workunit>"
                                             "<project><project_name>Two</project_name></project>"
                                             "<app><name>sim</name><user_friendly_name>Second</user_friendly_name></app>"
                                             "<workunit><name>b</name><app_name>sim</app_name></workunit>"
                                             "<workunit><name>c</name><app_name>other</app_name></workunit>"
                                             "</client_state>"))
                            .value();
    const auto names = [&](const char* work) { return works.at(work).project + ", " + works.at(work).application; };
    EXPECT_EQ(names("a"), "One, First");
    EXPECT_EQ(names("b"), "Two, Second");
    EXPECT_EQ(names("c"), "Two, ");
    EXPECT_EQ(names("stray"), ", ");
}

TEST(Tasks, AFinishedOneIsASuccessOrNone) {
    const auto task = [](const std::string& state) {
        return parse_tasks(
                   in_reply("<results><result><name>a</name><project_url>u</project_url><final_cpu_time>12.5</final_cpu_time>"
                            "<state>" +
                            state + "</state></result></results>"))
            .value()
            .at(0);
    };
    EXPECT_TRUE(task("5").is_success);
    EXPECT_EQ(task("5").final_cpu.count(), 12.5);
    EXPECT_TRUE(task("4").is_success);
    for (const char* state : {"2", "3", "6", "7"})
        EXPECT_FALSE(task(state).is_success) << state;
}

TEST_P(CapturedReplies, TellSuccessAndEachKindOfFailure) {
    EXPECT_TRUE(parse_done(reply("set_run_mode")));
    EXPECT_TRUE(parse_done(reply("read_prefs")));
    EXPECT_EQ(parse_done(reply("bad_task")).error().message(), "the client reports: No such project");
    EXPECT_EQ(parse_done(reply("unknown")).error().code(), EINVAL);
    EXPECT_EQ(parse_done(reply("unauthorized")).error().code(), EACCES);
    EXPECT_EQ(parse_authorized(reply("auth2_wrong")).error().code(), EACCES);
    EXPECT_FALSE(parse_nonce(reply("auth1").substr(0, reply("auth1").find('\003'))).value().empty());
}

TEST_P(CapturedReplies, CutOffAnywhereAreAnErrorOrTheSame) {
    const std::string whole = reply("get_results");
    const auto last = whole.rfind('>');
    for (std::size_t size = 0; size <= last; size += 7)
        EXPECT_FALSE(parse_tasks(whole.substr(0, size)).has_value()) << size;
}

TEST(Replies, IgnoreUnknownTagsAndDoWithoutMissingOnes) {
    const auto tasks =
        parse_tasks(in_reply("<new_in_9/><results><new/><result><name>n</name><project_url>u</project_url>"
                             "<active_task><new>1</new></active_task></result></results>"));
    ASSERT_TRUE(tasks);
    ASSERT_EQ(tasks->size(), 1U);
    EXPECT_EQ(tasks->at(0).active->state, ProcessState::none);
    EXPECT_EQ(tasks->at(0).active->slot, -1);
    EXPECT_EQ(parse_mode(in_reply("<cc_status></cc_status>")).value().current, RunMode::automatic);
    EXPECT_EQ(parse_preferences(in_reply("<global_preferences/>")).value(), Preferences());
    EXPECT_EQ(parse_swap_percent(in_reply("<global_preferences/>")).value(), 100);
    EXPECT_EQ(parse_swap_bytes(in_reply("<host_info></host_info>")).value(), 0U);
    EXPECT_EQ(parse_swap_bytes(in_reply("<host_info><m_swap>838860800.000000</m_swap></host_info>")).value(), 800U << 20);
}

TEST(Replies, LeaveOutTasksThatNoRequestCanName) {
    EXPECT_TRUE(parse_tasks(in_reply("<results><result><name>n</name></result><result/></results>")).value().empty());
}

TEST(Replies, BoundNumbersThatNoClientMeans) {
    const auto active = [](const std::string& bytes) {
        return parse_tasks(in_reply("<results><result><name>n</name><project_url>u</project_url><active_task><working_set_size>" +
                                    bytes + "</working_set_size><slot>" + bytes + "</slot></active_task></result></results>"))
            .value()
            .at(0)
            .active->resident_bytes;
    };
    EXPECT_EQ(active("-5"), 0U);
    EXPECT_EQ(active("nan"), 0U);
    EXPECT_EQ(active("inf"), 0U);
    EXPECT_EQ(active("1e300"), 1'000'000'000'000'000'000U);
    EXPECT_EQ(active("12abc"), 0U);
    EXPECT_EQ(active(""), 0U);
}

TEST(Replies, AreAnErrorIfTheyAreNone) {
    for (const std::string& text : {std::string(), std::string("<"), std::string("hello"), std::string(9, '\0'), in_reply(""),
                                    std::string("<other><results/></other>"), std::string("<boinc_gui_rpc_reply><results>")})
        EXPECT_EQ(parse_tasks(text).error().code(), EPROTO) << text;
    EXPECT_EQ(parse_memory_bytes(in_reply("<host_info><m_nbytes>0</m_nbytes></host_info>")).error().code(), EPROTO);
}

TEST(Replies, DoNotExpandEntities) {
    const auto tasks =
        parse_tasks(in_reply("<!DOCTYPE x [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>"
                             "<results><result><name>&b;</name><project_url>u</project_url></result></results>"));
    ASSERT_TRUE(tasks);
    EXPECT_EQ(tasks->at(0).id.name, "&b;");
}

// Depth takes no memory, and each task takes some.
TEST(Replies, AreBoundedByTheirTasks) {
    std::string deep;
    for (int i = 0; i < 400'000; ++i)
        deep += "<a>";
    EXPECT_TRUE(parse_tasks(in_reply("<results>" + deep + "</results>")).value().empty());
    std::string many;
    std::string works;
    for (std::size_t i = 0; i <= max_tasks; ++i) {
        many += "<result><name>" + std::to_string(i) + "</name><project_url>u</project_url></result>";
        works += "<workunit><name>" + std::to_string(i) + "</name></workunit>";
    }
    EXPECT_EQ(parse_tasks(in_reply("<results>" + many + "</results>")).error().code(), EFBIG);
    EXPECT_EQ(parse_works(in_reply("<client_state>" + works + "</client_state>")).error().code(), EFBIG);
}

// One project's markup hid the works of all.
TEST(Replies, KeepWhatStandsBesideMarkupOfProjects) {
    const Works works = parse_works(in_reply("<?xml version=\"1.0\" encoding=\"ISO-8859-1\" ?>\n<client_state>\n"
                                             "<project><project_name>A & B</project_name>\n<gui_urls>\n"
                                             "<gui_url><name>x</name><description>a<br>b<workunit></description></gui_url>\n"
                                             "</gui_urls>\n</project><app><name>m</name>"
                                             "<user_friendly_name>M\xe9mio<br></user_friendly_name></app><workunit><name>w</name>"
                                             "<app_name>m</app_name><rsc_memory_bound>1e9</rsc_memory_bound></workunit>\n"
                                             "</client_state>\n"))
                            .value();
    ASSERT_EQ(works.size(), 1U);
    EXPECT_EQ(works.at("w").bound_bytes, 1'000'000'000U);
    EXPECT_EQ(works.at("w").project, "A & B");
    EXPECT_EQ(works.at("w").application, "M\xe9mio");
    const auto tasks = parse_tasks(in_reply(
        "<results><result><name>n</name><project_url>u</project_url><active_task><web_graphics_url>a<b</web_graphics_url>"
        "<slot>3</slot></active_task></result><result><name>o</name><project_url>u</project_url></result></results>"));
    ASSERT_EQ(tasks->size(), 2U);
    EXPECT_EQ(tasks->at(0).active->slot, 3);
}

TEST(Replies, ShowAnErrorOfTheClientWithoutControlCharacters) {
    EXPECT_EQ(parse_done(in_reply("<error>a\033[2Jb</error>")).error().message(), "the client reports: a\\x1b[2Jb");
}

}  // namespace
}  // namespace tmm::boinc
