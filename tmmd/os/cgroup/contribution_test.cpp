// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/contribution.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "base/temp_tree.hpp"
#include "tmmd/os/cgroup/test_cgroups.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"

namespace tmm::os {
namespace {

const std::string povray = slice + "/maketransparent-povray-4711.scope";

class ContributionTest : public testing::Test {
protected:
    ContributionTest() {
        tree_.file(povray + "/cgroup.procs", "12\n7\n").file(povray + "/cgroup.freeze", "0\n").file(povray + "/cgroup.kill", "");
        tree_.file(povray + "/cgroup.events", "populated 1\nfrozen 0\n").file(povray + "/memory.current", "123456\n");
        tree_.file(povray + "/cpu.weight", "100\n");
    }

    Contribution open(const std::string& cgroup = povray) { return *Contribution::open(root_, cgroup).value(); }
    std::string text(const std::string& file) { return tree_.text(povray + "/" + file); }
    bool has_attributes() { return ::setxattr((tree_.path() / povray).c_str(), "user.tmm.test", "1", 1, 0) == 0; }

    TempTree tree_;
    RootDir root_ = tree_.root();
};

TEST_F(ContributionTest, IsLookedAt) {
    tree_.file(povray + "/below/deeper/cgroup.procs", "99\n0\nrubbish\n");
    const Contribution contribution = open();
    EXPECT_EQ(contribution.name(), "povray");
    EXPECT_EQ(contribution.memory_bytes(), Bytes(123456));
    EXPECT_EQ(contribution.far_bytes(), Bytes(0));
    if (::setxattr((tree_.path() / povray).c_str(), "user.tmm.far", "654321", 6, 0) == 0)
        EXPECT_EQ(contribution.far_bytes(), Bytes(654321));
    EXPECT_TRUE(contribution.is_populated());
    EXPECT_EQ(contribution.weight(), 100U);
    EXPECT_EQ(contribution.processes(), (std::vector<pid_t>{7, 12, 99}));
    EXPECT_NE(contribution.id(), 0U);
    EXPECT_EQ(contribution.id(), open().id());
}

TEST_F(ContributionTest, AVanishedOneIsNothingAndNothingIsLeftToDo) {
    Contribution contribution = open();
    std::filesystem::remove_all(tree_.path() / povray);
    EXPECT_FALSE(Contribution::open(root_, povray).value());
    EXPECT_FALSE(contribution.is_populated());
    EXPECT_FALSE(contribution.memory_bytes());
    EXPECT_FALSE(contribution.weight());
    EXPECT_TRUE(contribution.processes().empty());
    EXPECT_TRUE(contribution.freeze(FreezeReason::pause));
    EXPECT_TRUE(contribution.thaw());
    EXPECT_TRUE(contribution.terminate());
    EXPECT_TRUE(contribution.kill());
    EXPECT_TRUE(contribution.set_weight(5));
}

TEST_F(ContributionTest, NoLinkIsFollowed) {
    tree_.dir("elsewhere");
    std::filesystem::create_directory_symlink(tree_.path() / "elsewhere", tree_.path() / slice / "link");
    EXPECT_EQ(Contribution::open(root_, slice + "/link").error().code(), ELOOP);
}

TEST_F(ContributionTest, WithoutControllersThereIsNoNumber) {
    std::filesystem::remove(tree_.path() / povray / "memory.current");
    std::filesystem::remove(tree_.path() / povray / "cpu.weight");
    EXPECT_FALSE(open().memory_bytes());
    EXPECT_FALSE(open().weight());
    EXPECT_EQ(open().set_weight(10).error().code(), ENOTSUP);
    tree_.file(povray + "/memory.current", "max\n");
    EXPECT_FALSE(open().memory_bytes());
}

TEST_F(ContributionTest, NamesArePrintable) {
    for (const auto& [cgroup, name] : std::vector<std::pair<std::string, std::string>>{{"boinc.service", "boinc.service"},
                                                                                       {"povray+2", "povray"},
                                                                                       {"a\x1b[31m\n\xff", "a?[31m??"},
                                                                                       {"+2", "contribution"}}) {
        tree_.dir(slice + "/" + cgroup);
        EXPECT_EQ(open(slice + "/" + cgroup).name(), name);
    }
    tree_.dir(slice + "/" + std::string(200, 'x'));
    EXPECT_EQ(open(slice + "/" + std::string(200, 'x')).name(), std::string(64, 'x'));
}

TEST_F(ContributionTest, ProcessesAreReadWithinBounds) {
    for (int i = 0; i < 300; ++i)
        tree_.file(povray + "/many/" + std::to_string(i) + "/cgroup.procs", "5\n");
    EXPECT_EQ(open().processes().size(), 2U + 254) << "two of its own, and those of 254 of the 256 cgroups";
    std::string pids;
    for (int pid = 1; pid <= 10'000; ++pid)
        pids += std::to_string(pid) + "\n";
    tree_.file(povray + "/below/cgroup.procs", pids);
    EXPECT_EQ(open().processes().size(), Contribution::max_processes);
}

TEST(OwnerOf, TheDirectorysUserOrElseTheProcesses) {
    EXPECT_EQ(owner_of(1234, {1000, 1000}), 1234U) << "that user can do all of it anyway";
    EXPECT_EQ(owner_of(0, {1000, 1000}), 1000U);
    EXPECT_EQ(owner_of(0, {1000, 1001}), 0U) << "of several users";
    EXPECT_EQ(owner_of(0, {1000, std::nullopt}), 0U);
    EXPECT_EQ(owner_of(0, {std::nullopt, std::nullopt}), 0U);
    EXPECT_EQ(owner_of(0, {}), 0U);
}

TEST(OnlyUser, IsTheSameInEveryWay) {
    EXPECT_EQ(parse_only_user("Name:\tx\nUid:\t1000\t1000\t1000\t1000\nGid:\t0\t0\t0\t0\n"), 1000U);
    for (const std::string_view text :
         {"", "Name:\tUid:\n", "Uid:\n", "Uid:\t1000\n", "Uid:\t1000\t0\t0\t0\n", "Uid:\t1000\t1000\t0\t1000\n",
          "Uid:\tx\tx\tx\tx\n", "Uid:\t9999999999\t9999999999\t9999999999\t9999999999\n"})
        EXPECT_EQ(parse_only_user(text), std::nullopt) << text;
}

TEST_F(ContributionTest, HasAnOwner) {
    // The directory belongs to the user who runs the test; root's count for the user of their processes.
    for (const int pid : {7, 12})
        tree_.file("proc/" + std::to_string(pid) + "/status", "Name:\tx\nUid:\t1000\t1000\t1000\t1000\n");
    EXPECT_EQ(open().owner(), ::geteuid() == 0 ? 1000U : ::geteuid());
}

TEST_F(ContributionTest, FreezesAndThaws) {
    if (!has_attributes())
        GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    Contribution contribution = open();
    EXPECT_EQ(contribution.frozen_for(), std::nullopt);
    ASSERT_TRUE(contribution.freeze(FreezeReason::hold));
    EXPECT_EQ(text("cgroup.freeze").substr(0, 1), "1");
    EXPECT_EQ(open().frozen_for(), FreezeReason::hold) << "a later tmmd knows the reason";
    ASSERT_TRUE(contribution.freeze(FreezeReason::pause));
    EXPECT_EQ(open().frozen_for(), FreezeReason::pause);
    ASSERT_TRUE(open().thaw());
    EXPECT_EQ(text("cgroup.freeze").substr(0, 1), "0");
    EXPECT_EQ(open().frozen_for(), std::nullopt);
}

TEST_F(ContributionTest, MayWishNeverToBeFrozenByAHold) {
    const auto wish = [&](const char* value) {
        return ::setxattr((tree_.path() / povray).c_str(), "user.tmm.freeze", value, std::char_traits<char>::length(value), 0);
    };
    EXPECT_FALSE(open().is_never_held_frozen());
    if (!has_attributes())
        GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    const Contribution contribution = open();
    for (const char* other : {"", "nev", "never ", "Never", "never, or only at night"}) {
        ASSERT_EQ(wish(other), 0);
        EXPECT_FALSE(contribution.is_never_held_frozen()) << other;
    }
    ASSERT_EQ(wish("never"), 0);
    EXPECT_TRUE(contribution.is_never_held_frozen());
}

TEST_F(ContributionTest, WhatSomebodyElseFrozeStaysFrozen) {
    tree_.file(povray + "/cgroup.freeze", "1\n");
    Contribution contribution = open();
    ASSERT_TRUE(contribution.freeze(FreezeReason::hold));
    ASSERT_TRUE(contribution.thaw());
    EXPECT_EQ(text("cgroup.freeze").substr(0, 1), "1");
}

TEST_F(ContributionTest, ADaemonThatEndsThawsAllAndRemembersPauses) {
    if (!has_attributes())
        GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    Contribution contribution = open();
    ASSERT_TRUE(contribution.freeze(FreezeReason::pause));
    ASSERT_TRUE(contribution.leave());
    EXPECT_EQ(text("cgroup.freeze").substr(0, 1), "0");
    EXPECT_EQ(open().frozen_for(), FreezeReason::pause);
    ASSERT_TRUE(contribution.freeze(FreezeReason::hold));
    ASSERT_TRUE(contribution.leave());
    EXPECT_EQ(text("cgroup.freeze").substr(0, 1), "0");
    EXPECT_EQ(open().frozen_for(), std::nullopt);
}

TEST_F(ContributionTest, TerminateReachesProcesses) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        for (;;)
            ::pause();
    }
    tree_.file(povray + "/cgroup.procs", std::to_string(child) + "\n");
    EXPECT_TRUE(open().terminate());
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGTERM);
    EXPECT_TRUE(open().terminate()) << "an ended process needs no signal";
}

TEST_F(ContributionTest, KillIsTheKernelsWork) {
    ASSERT_TRUE(open().kill());
    EXPECT_EQ(text("cgroup.kill"), "1");
}

TEST_F(ContributionTest, AWeightIsSetWithinItsRange) {
    ASSERT_TRUE(open().set_weight(10'000));
    EXPECT_EQ(open().weight(), 10'000U);
    EXPECT_EQ(open().set_weight(0).error().code(), EINVAL);
    EXPECT_EQ(open().set_weight(10'001).error().code(), EINVAL);
}

std::vector<std::string> names_of(const std::vector<FoundContribution>& found) {
    std::vector<std::string> names;
    for (const FoundContribution& one : found)
        names.push_back(one.cgroup);
    return names;
}

TEST_F(ContributionTest, AreFoundInSlicesAndAsMarkedDirectories) {
    tree_.dir(slice + "/boinc.service").dir(std::string(cgroup_mount) + "/marked/below");
    EXPECT_EQ(
        names_of(find_contributions(root_, {std::string(cgroup_mount) + "/marked", slice, "nowhere/transparent.slice"}, 10)),
        (std::vector<std::string>{std::string(cgroup_mount) + "/marked", slice + "/boinc.service", povray}));
}

TEST_F(ContributionTest, OneUsersDoNotHideAnothers) {
    const std::string crowded = std::string(cgroup_mount) + "/user.slice/user-1000.slice/transparent.slice";
    const std::string other = std::string(cgroup_mount) + "/user.slice/user-1001.slice/transparent.slice";
    for (int i = 0; i < 4200; ++i)
        tree_.dir(crowded + "/empty-" + std::to_string(i));
    tree_.dir(other + "/povray.scope");
    const auto give = [&](const std::string& path, uid_t user) {
        return ::chown((tree_.path() / path).c_str(), user, user) == 0;
    };
    // The crowd is one user's, whatever numbers it gives to what is below.
    const std::string user_1000 = std::string(cgroup_mount) + "/user.slice/user-1000.slice";
    const std::string user_1001 = std::string(cgroup_mount) + "/user.slice/user-1001.slice";
    if (!give(user_1000, 1000) || !give(crowded, 100'000) || !give(crowded + "/empty-7", 100'007) || !give(user_1001, 1001))
        GTEST_SKIP() << "only root makes other users' directories";
    const auto found = find_contributions(root_, {crowded, other}, 256);
    EXPECT_EQ(std::count_if(found.begin(), found.end(), [](const auto& one) { return one.user == 1000; }), 256);
    EXPECT_EQ(found.size(), 257U);
    EXPECT_EQ(found.back(), (FoundContribution{other + "/povray.scope", 1001}));
}

}  // namespace
}  // namespace tmm::os
