// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/discovery/client_process.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"
#include "boinc-adapter/discovery/fake_processes.hpp"

namespace tmm::boinc {
namespace {

TEST(FindClient, TellsTheProcessThatLocksTheFile) {
    TempTree tree;
    EXPECT_FALSE(find_client(tree.root()));
    tree.file("lockfile", "");
    EXPECT_FALSE(find_client(tree.root()));
    {
        const LockingClient client(tree.path() / "lockfile");
        ASSERT_TRUE(client.has_locked());
        EXPECT_EQ(find_client(tree.root()), client.pid());
    }
    EXPECT_FALSE(find_client(tree.root()));
}

TEST(FindClient, TakesNoReaderOfTheFileForAClient) {
    TempTree tree;
    tree.file("lockfile", "");
    const LockingClient reader(tree.path() / "lockfile", F_RDLCK);
    ASSERT_TRUE(reader.has_locked());
    EXPECT_FALSE(find_client(tree.root()));
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
