// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/peer_user.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

TEST(PeerUser, ASessionBelongsToOneUser) {
    EXPECT_EQ(session_user("/user.slice/user-1000.slice"), 1000U);
    EXPECT_EQ(session_user("/user.slice/user-1000.slice/user@1000.service/app.slice/user-7.slice"), 1000U);
    for (const char* const other :
         {"", "/", "/user.slice", "/user.slice/user-.slice", "/user.slice/user-x.slice/a", "/user.slice/user-99999999999.slice",
          "/user.slice/user-1000.scope", "/system.slice/a.service/user.slice/user-1000.slice", "user.slice/user-1000.slice"})
        EXPECT_EQ(session_user(other), std::nullopt) << other;
}

class UserOfPeer : public testing::Test {
protected:
    void process(pid_t number, const std::string& cgroup, const std::string& user) {
        const std::string folder = "proc/" + std::to_string(number);
        tree_.file(folder + "/cgroup", "1:name=systemd:/x\n0::" + cgroup + "\n");
        tree_.file(folder + "/status", "Name:\tx\nUid:\t" + user + "\t" + user + "\t" + user + "\t" + user + "\n");
    }
    [[nodiscard]] std::optional<uid_t> user_of(pid_t process, uid_t user) { return user_of_peer(tree_.root(), process, user); }

    TempTree tree_;
};

TEST_F(UserOfPeer, HasNoSharesOfTheirOtherNumbers) {
    process(1, "/user.slice/user-1000.slice/session-2.scope", "100007");
    EXPECT_EQ(user_of(1, 100007), 1000U);
}

TEST_F(UserOfPeer, IsTheProcesssWithoutASession) {
    process(1, "/system.slice/cache.service", "33");
    EXPECT_EQ(user_of(1, 33), 33U);
}

TEST_F(UserOfPeer, IsUnknownOnceTheProcessHasEnded) {
    EXPECT_EQ(user_of(1, 1000), std::nullopt);
    process(1, "/user.slice/user-1001.slice/session-3.scope", "1001");
    EXPECT_EQ(user_of(1, 1000), std::nullopt) << "another's process has its number";
}

TEST_F(UserOfPeer, HasTheMemoryOfTheProcess) {
    tree_.file("proc/1/status", "Name:\tx\nVmPeak:\t   90000 kB\nVmRSS:\t    1000 kB\n");
    EXPECT_EQ(memory_of_peer(tree_.root(), 1), Bytes(1024000));
    EXPECT_EQ(memory_of_peer(tree_.root(), 2), Bytes(0));
}

}  // namespace
}  // namespace tmm::os
