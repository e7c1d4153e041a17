// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/discovery/running_clients.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/temp_tree.hpp"

namespace tmm::boinc {
namespace {

using namespace std::string_literals;

constexpr const char* tcp =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    "   0: 0100007F:7AB8 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 1 1 0 20 4 30 10 -1\n"
    "   1: 0100007F:7AB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000   112        0 2 1 0 100 0 0 10 0\n"
    "   2: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 3 1 0 100 0 0 10 0\n";

TEST(ClientArguments, AreThoseOfBoinc) {
    const RunningClient plain = parse_client_arguments("/usr/bin/boinc\0"s);
    EXPECT_EQ(plain.data_dir, "");
    EXPECT_EQ(plain.port, 31416);
    EXPECT_TRUE(plain.at_port);
    const RunningClient own = parse_client_arguments("boinc\0--dir\0/srv/a b\0-gui_rpc_port\00031417\0--no_gpus\0"s);
    EXPECT_EQ(own.data_dir, "/srv/a b");
    EXPECT_EQ(own.port, 31417);
    EXPECT_FALSE(parse_client_arguments("boinc\0--gui_rpc_unix_domain\0"s).at_port);
}

TEST(ClientArguments, ThatAreMalformedTellNothing) {
    for (const std::string& text : {""s, "boinc"s, "boinc\0--dir"s, "boinc\0--dir\0here\0"s, "boinc\0--gui_rpc_port\0"s,
                                    "boinc\0--gui_rpc_port\00070000\0"s, "boinc\0--gui_rpc_port\0x\0"s, "\0\0\0"s}) {
        EXPECT_EQ(parse_client_arguments(text).data_dir, "") << text;
        EXPECT_EQ(parse_client_arguments(text).port, 31416) << text;
    }
}

class RunningClients : public testing::Test {
protected:
    void add(int pid, const std::string& name, int uid, const std::string& arguments, int parent = 1) {
        const std::string folder = "proc/" + std::to_string(pid) + "/";
        tree.file(folder + "comm", name + "\n").file(folder + "cmdline", arguments);
        tree.file(folder + "status", "Name:\t" + name + "\nPid:\t" + std::to_string(pid) + "\nPPid:\t" + std::to_string(parent) +
                                         "\nUid:\t" + std::to_string(uid) + "\t0\t0\t0\n");
    }

    TempTree tree;
};

TEST_F(RunningClients, AreAllOfAllUsers) {
    add(100, "boinc", 112, "/usr/bin/boinc\0"s);
    add(90, "boinc_client", 1000, "boinc_client\0--dir\0/home/ann/BOINC\0--gui_rpc_port\00031417\0"s);
    add(120, "boincmgr", 1000, "boincmgr\0"s);
    add(130, "science", 112, "science\0"s, 100);
    tree.file("proc/meminfo", "").file("proc/sys/x", "");
    const auto clients = find_running_clients(tree.root());
    ASSERT_EQ(clients.size(), 2U);
    EXPECT_EQ(clients[0].pid, 90);
    EXPECT_EQ(clients[0].uid, 1000U);
    EXPECT_EQ(clients[0].data_dir, "/home/ann/BOINC");
    EXPECT_EQ(clients[0].port, 31417);
    EXPECT_EQ(clients[1].pid, 100);
    EXPECT_EQ(clients[1].data_dir, "") << "another user's directory is hidden";
}

TEST_F(RunningClients, ListenAtThePortThatTheyWereTold) {
    add(100, "boinc", 112, "boinc\0--gui_rpc_port\00031417\0"s);
    add(200, "boinc", 112, "boinc\0"s);
    EXPECT_EQ(find_port(tree.root(), 100), 31417);
    EXPECT_EQ(find_port(tree.root(), 200), 31416);
    EXPECT_EQ(find_port(tree.root(), 300), 31416) << "it has ended";
    EXPECT_EQ(find_port(tree.root(), {}), 31416);
}

TEST_F(RunningClients, WorkWhereTheLinkSays) {
    add(100, "boinc", 112, "boinc\0"s);
    std::filesystem::create_symlink("/srv/second", tree.path() / "proc/100/cwd");
    EXPECT_EQ(find_running_clients(tree.root()).at(0).data_dir, "/srv/second");
}

TEST_F(RunningClients, AreNotTheirOwnChildren) {
    add(100, "boinc", 112, "boinc\0"s);
    add(101, "boinc", 112, "boinc\0"s, 100);
    EXPECT_EQ(find_running_clients(tree.root()).size(), 1U);
}

TEST_F(RunningClients, ThatEndAreLeftOutAndManyAreBounded) {
    EXPECT_TRUE(find_running_clients(tree.root()).empty());
    tree.file("proc/7/comm", "boinc\n");
    EXPECT_TRUE(find_running_clients(tree.root()).empty());
    for (int pid = 1000; pid < 1100; ++pid)
        add(pid, "boinc", 1000, "boinc\0"s);
    EXPECT_EQ(find_running_clients(tree.root()).size(), max_running_clients);
}

TEST_F(RunningClients, OfOneUserHideNobodyElses) {
    for (int pid = 1000; pid < 1100; ++pid)
        add(pid, "boinc", 1000, "boinc\0"s);
    add(2000, "boinc", 112, "boinc\0"s);
    const auto clients = find_running_clients(tree.root());
    ASSERT_EQ(clients.size(), max_running_clients);
    EXPECT_EQ(clients.back().pid, 2000);
}

}  // namespace
}  // namespace tmm::boinc
