// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/client/stopped_client.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/temp_tree.hpp"
#include "boinc-adapter/app/files/files.hpp"
#include "boinc-adapter/app/files/regular_file.hpp"
#include "boinc-adapter/discovery/fake_processes.hpp"

namespace tmm::boinc {
namespace {

const std::set<TaskId> held{{"p", "a"}};
constexpr const char* suspended =
    "<client_state>\n<project>\n<master_url>p</master_url>\n</project>\n<result>\n<name>a</name>\n<suspended_via_gui/>\n"
    "</result>\n</client_state>\n";
constexpr const char* free_again =
    "<client_state>\n<project>\n<master_url>p</master_url>\n</project>\n<result>\n<name>a</name>\n</result>\n</client_state>\n";

class StoppedClient : public testing::Test {
protected:
    StoppedClient() { tree.file("lockfile", "").file("client_state.xml", suspended); }

    TempTree tree;
};

TEST_F(StoppedClient, StartsWithoutTheSuspensionsOfTmmWhateverFileItTakes) {
    tree.file("client_state_prev.xml", suspended).file("client_state_next.xml", suspended);
    ASSERT_EQ(::chmod((tree.path() / "client_state.xml").c_str(), 0640), 0);
    ASSERT_TRUE(end_suspensions(tree.root(), held));
    for (const char* name : {"client_state.xml", "client_state_prev.xml", "client_state_next.xml"})
        EXPECT_EQ(tree.text(name), free_again) << name;
    struct stat status {};
    ASSERT_EQ(::stat((tree.path() / "client_state.xml").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0640U);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(tree.path()), {}), 4) << "nothing else is left";
}

TEST_F(StoppedClient, IsNotKeptFromStartingByAFileThatItCannotLock) {
    std::filesystem::remove(tree.path() / "lockfile");
    ASSERT_TRUE(end_suspensions(tree.root(), held));
    EXPECT_EQ(tree.text("client_state.xml"), free_again);
    EXPECT_FALSE(std::filesystem::exists(tree.path() / "lockfile"));
}

TEST_F(StoppedClient, ThatRunsKeepsItsFiles) {
    const LockingClient client(tree.path() / "lockfile");
    ASSERT_TRUE(client.has_locked());
    EXPECT_EQ(end_suspensions(tree.root(), held).error().code(), EBUSY);
    EXPECT_EQ(tree.text("client_state.xml"), suspended);
}

TEST_F(StoppedClient, KeepsFilesThatAreDamagedOrLinks) {
    tree.file("client_state.xml", "<client_state>\n").file("client_state_prev.xml", suspended).file("target", suspended);
    std::filesystem::create_symlink("target", tree.path() / "client_state_next.xml");
    EXPECT_EQ(end_suspensions(tree.root(), held).error().code(), ELOOP);
    EXPECT_EQ(tree.text("client_state.xml"), "<client_state>\n");
    EXPECT_EQ(tree.text("target"), suspended);
    EXPECT_TRUE(std::filesystem::is_symlink(tree.path() / "client_state_next.xml"));
    EXPECT_EQ(tree.text("client_state_prev.xml"), free_again) << "the rest goes on";
}

// Opened as any file, each of them would keep tmm-boinc until somebody writes to it.
TEST_F(StoppedClient, WaitsForNoNamedPipe) {
    for (const char* name : {"client_state.xml", "client_state_next.xml"}) {
        std::filesystem::remove(tree.path() / name);
        ASSERT_EQ(::mkfifo((tree.path() / name).c_str(), 0600), 0);
        EXPECT_EQ(read_regular(tree.root(), name, 0, 1).error().code(), EINVAL);
        EXPECT_EQ(end_suspensions(tree.root(), held).error().code(), EINVAL);
    }
}

// As root, each directory is another user's, as Debian's are.
TEST(Release, ForgetsTheTasksAsTheOwnersOfBothDirectories) {
    constexpr uid_t client = 65533;
    constexpr uid_t adapter = 65534;
    const Log log("test", LogLevel::error, false);
    TempTree tree;
    tree.dir("data").dir("state").file("data/client_state.xml", suspended).file("state/state", format_state({held, true}));
    ASSERT_EQ(::chmod((tree.path() / "state/state").c_str(), 0600), 0);
    ASSERT_EQ(::chmod(tree.path().c_str(), 0755), 0);
    const bool is_root = ::geteuid() == 0;
    for (const char* name : {"data", "data/client_state.xml", "state", "state/state"}) {
        if (is_root) {
            ASSERT_EQ(::chown((tree.path() / name).c_str(), name[0] == 'd' ? client : adapter, client), 0);
        }
    }
    const RootDir data = tree.root().subdir("data").value();
    const RootDir state = tree.root().subdir("state").value();
    const auto released = release(data, state, log);
    ASSERT_TRUE(released) << released.error().message();
    EXPECT_EQ(tree.text("data/client_state.xml"), free_again);
    EXPECT_EQ(parse_state(tree.text("state/state")).value(), SavedState());
    EXPECT_EQ(::geteuid() == 0, is_root) << "it is itself again";
    if (is_root) {
        struct stat status {};
        ASSERT_EQ(::stat((tree.path() / "data/client_state.xml").c_str(), &status), 0);
        EXPECT_EQ(status.st_uid, client) << "the client can write to it";
        ASSERT_EQ(::stat((tree.path() / "state/state").c_str(), &status), 0);
        EXPECT_EQ(status.st_uid, adapter);
    }
}

TEST(Release, WhatCannotBeDoneIsNotForgotten) {
    const Log log("test", LogLevel::error, false);
    TempTree tree;
    tree.dir("data").file("data/client_state.xml", "<client_state>\n").file("state/state", format_state({held, false}));
    const RootDir data = tree.root().subdir("data").value();
    const RootDir state = tree.root().subdir("state").value();
    EXPECT_FALSE(release(data, state, log));
    EXPECT_EQ(parse_state(tree.text("state/state")).value().held, held);
    tree.file("state/state", "nonsense");
    EXPECT_FALSE(release(data, state, log));
    EXPECT_EQ(tree.text("state/state"), "nonsense");
    EXPECT_TRUE(release(data, tree.dir("empty").root().subdir("empty").value(), log)) << "nothing was held";
}

}  // namespace
}  // namespace tmm::boinc
