// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The texts are hand-written, after the form of Debian's 7.20.5; tests/test_boinc.py takes those of a real client.
#include "boinc-adapter/rpc/client_state.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace tmm::boinc {
namespace {

std::string project(const std::string& url, const std::string& tasks) {
    return "<project>\n    <master_url>" + url + "</master_url>\n    <suspended_via_gui/>\n</project>\n" + tasks;
}
std::string task(const std::string& name, bool is_suspended) {
    return "<result>\n    <name>" + name + "</name>\n" + (is_suspended ? "    <suspended_via_gui/>\n" : "") +
           "    <wu_name>w</wu_name>\n</result>\n";
}
std::string state(const std::string& body) {
    return "<client_state>\n<host_info>\n  <p_model>a & b</p_model>\r\n</host_info>\n" + body + "</client_state>\n";
}

TEST(ClientState, LosesOnlyTheSuspensionsOfTheseTasks) {
    const std::string before = state(project("http://p/", task("held", true) + task("users", true) + task("runs", false)) +
                                     project("http://q/", task("held", true)));
    const std::string after = state(project("http://p/", task("held", false) + task("users", true) + task("runs", false)) +
                                    project("http://q/", task("held", true)));
    EXPECT_EQ(without_suspensions(before, {{"http://p/", "held"}, {"http://p/", "runs"}, {"http://p/", "gone"}}).value(), after);
    EXPECT_EQ(without_suspensions(before, {}).value(), before);
    EXPECT_EQ(without_suspensions(after, {{"http://p/", "held"}}).value(), after);
}

TEST(ClientState, ASuspensionMayComeBeforeTheName) {
    const std::string before = "<result>\n<suspended_via_gui/>\n<name>held</name>\n</result>\n";
    EXPECT_EQ(without_suspensions(state(project("p", before)), {{"p", "held"}}).value(),
              state(project("p", "<result>\n<name>held</name>\n</result>\n")));
}

TEST(ClientState, AnAddressElsewhereIsNoProject) {
    const std::string stray = "<acct_mgr>\n<master_url>q</master_url>\n</acct_mgr>\n";
    EXPECT_EQ(without_suspensions(state(project("p", stray + task("held", true))), {{"p", "held"}}).value(),
              state(project("p", stray + task("held", false))));
}

TEST(ClientState, TheOutputOfATaskIsNoPartOfIt) {
    const std::string output =
        "<stderr_out>\n<![CDATA[\n</result>\n<suspended_via_gui/>\n<project>\n<name>users</name>\n]]>\n</stderr_out>\n";
    const std::string before = "<result>\n<name>held</name>\n" + output + "<suspended_via_gui/>\n</result>\n";
    const std::string after = "<result>\n<name>held</name>\n" + output + "</result>\n";
    EXPECT_EQ(without_suspensions(state(project("p", before + task("users", true))), {{"p", "held"}}).value(),
              state(project("p", after + task("users", true))));
}

TEST(ClientState, WhatIsNotAsTheClientWritesItStays) {
    for (const std::string& body :
         {std::string("<result> <name>held</name> <suspended_via_gui/> </result>\n"),
          std::string("<result>\n<name>held</name> <suspended_via_gui/>\n</result>\n"),
          std::string("<result>\n<name>held</name>\n<suspended_via_gui/>\n"),
          std::string("<suspended_via_gui/>\n<name>held</name>\n"), std::string("<result>\n<suspended_via_gui/>\n</result>\n"),
          std::string("<master_url>q</master_url>\n")}) {
        const std::string text = state(project("p", body));
        EXPECT_EQ(without_suspensions(text, {{"p", "held"}}).value(), text);
    }
}

TEST(ClientState, CutOffAnywhereItIsLeftAlone) {
    const std::string whole = state(project("p", task("held", true)));
    for (std::size_t size = 0; size < whole.size() - 1; ++size)
        EXPECT_EQ(without_suspensions(whole.substr(0, size), {{"p", "held"}}).error().code(), EPROTO) << size;
    EXPECT_EQ(without_suspensions(std::string(9, '\0'), {}).error().code(), EPROTO);
    EXPECT_EQ(without_suspensions("<global_preferences>\n</global_preferences>\n", {}).error().code(), EPROTO);
}

}  // namespace
}  // namespace tmm::boinc
