// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/discovery/client_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "base/temp_tree.hpp"

namespace tmm::boinc {
namespace {

TEST(FindClient, TellsTheProcessThatLocksTheFile) {
    TempTree tree;
    EXPECT_FALSE(find_client(tree.root()));
    tree.file("lockfile", "");
    EXPECT_FALSE(find_client(tree.root()));
    std::array<int, 2> ready{};
    std::array<int, 2> end{};
    ASSERT_EQ(::pipe(ready.data()), 0);
    ASSERT_EQ(::pipe(end.data()), 0);
    const std::string path = tree.path() / "lockfile";
    const pid_t client = ::fork();
    if (client == 0) {
        ::close(end[1]);
        struct flock lock {};
        lock.l_type = F_WRLCK;
        char byte = 0;
        if (::fcntl(::open(path.c_str(), O_WRONLY), F_SETLK, &lock) == 0 && ::write(ready[1], &byte, 1) == 1)
            (void)::read(end[0], &byte, 1);
        ::_exit(0);
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    EXPECT_EQ(find_client(tree.root()), client);
    ::close(end[1]);
    ::waitpid(client, nullptr, 0);
    EXPECT_FALSE(find_client(tree.root()));
    for (const int fd : {ready[0], ready[1], end[0]})
        ::close(fd);
}

TEST(IsFrozen, IsTheStateOfItsCgroup) {
    TempTree tree;
    EXPECT_FALSE(is_frozen(tree.root(), 7));
    tree.file("proc/7/cgroup", "0::/transparent.slice/boinc-client.service\n");
    EXPECT_FALSE(is_frozen(tree.root(), 7));
    const std::string events = "sys/fs/cgroup/transparent.slice/boinc-client.service/cgroup.events";
    tree.file(events, "populated 1\nfrozen 0\n");
    EXPECT_FALSE(is_frozen(tree.root(), 7));
    tree.file(events, "populated 1\nfrozen 1\n");
    EXPECT_TRUE(is_frozen(tree.root(), 7));
    EXPECT_FALSE(is_frozen(tree.root(), 8));
}

TEST(ParseCgroup, TakesTheOneOfVersionTwo) {
    EXPECT_EQ(parse_cgroup("12:memory:/x\n0::/a/b\n"), "/a/b");
    EXPECT_FALSE(parse_cgroup("12:memory:/x\n"));
    EXPECT_FALSE(parse_cgroup("0::\n"));
    EXPECT_FALSE(parse_cgroup(""));
}

}  // namespace
}  // namespace tmm::boinc
