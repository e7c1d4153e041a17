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

TEST(Listener, IsTheUserOfTheSocketThatListens) {
    EXPECT_EQ(parse_listeners(tcp, 31416), (Listeners{112, {}}));
    EXPECT_EQ(parse_listeners(tcp, 22), (Listeners{{}, 0}));
    EXPECT_EQ(parse_listeners(tcp, 31417), Listeners());
    const std::string line = std::string(tcp).substr(std::string(tcp).find("   1:"));
    for (std::size_t size = 0; size < line.find("112"); size += 3)
        EXPECT_EQ(parse_listeners(line.substr(0, size), 31416), Listeners()) << size;
}

// Returns a line of /proc/net/tcp or tcp6 for a user who listens at the port 31416 of an address.
std::string listening(const std::string& address, int uid) {
    const std::string far(address.size(), '0');
    return "   0: " + address + ":7AB8 " + far + ":0000 0A 00000000:00000000 00:00000000 00000000 " + std::to_string(uid) +
           "        0 2 1 0 100 0 0 10 0\n";
}

// As the kernel of a little-endian machine wrote them for sockets at these addresses.
const std::string loopback = "0100007F";
const std::string other_loopback = "0200007F";
const std::string any = "00000000";
const std::string mapped = "0000000000000000FFFF0000";
const std::string loopback_of_six = "00000000000000000000000001000000";
const std::string any_of_six = any + any + any + any;

TEST(Listener, IsAtAnAddressThatAConnectionToLoopbackReaches) {
    EXPECT_EQ(parse_listeners(listening(loopback, 1), 31416), (Listeners{1, {}}));
    EXPECT_EQ(parse_listeners(listening(mapped + loopback, 1), 31416), (Listeners{1, {}}));
    for (const std::string& address : {any, mapped + any, any_of_six})
        EXPECT_EQ(parse_listeners(listening(address, 1), 31416), (Listeners{{}, 1})) << address;
    const std::string compatible = any_of_six.substr(8) + loopback;
    for (const std::string& address :
         {other_loopback, mapped + other_loopback, loopback_of_six, compatible, loopback + "00", any + any, ""s})
        EXPECT_EQ(parse_listeners(listening(address, 1), 31416), Listeners()) << address;
}

TEST(Listener, AtAnotherLoopbackAddressHidesNobody) {
    TempTree tree;
    tree.file("proc/net/tcp", listening(other_loopback, 1000) + listening(loopback, 112) + listening(other_loopback, 1001));
    tree.file("proc/net/tcp6", listening(any_of_six, 1000));
    EXPECT_EQ(find_listener(tree.root(), 31416), 112U);
    tree.file("proc/net/tcp", listening(other_loopback, 1000)).file("proc/net/tcp6", listening(loopback_of_six, 1000));
    EXPECT_FALSE(find_listener(tree.root(), 31416));
}

TEST(Listener, IsTheOneThatTheKernelTakesFirst) {
    TempTree tree;
    EXPECT_FALSE(find_listener(tree.root(), 31416));
    tree.file("proc/net/tcp6", listening(any_of_six, 4));
    EXPECT_EQ(find_listener(tree.root(), 31416), 4U);
    tree.file("proc/net/tcp", listening(any, 3));
    EXPECT_EQ(find_listener(tree.root(), 31416), 3U);
    tree.file("proc/net/tcp6", listening(any_of_six, 4) + listening(mapped + loopback, 2));
    EXPECT_EQ(find_listener(tree.root(), 31416), 2U);
    tree.file("proc/net/tcp", listening(any, 3) + listening(loopback, 1));
    EXPECT_EQ(find_listener(tree.root(), 31416), 1U);
}

}  // namespace
}  // namespace tmm::boinc
