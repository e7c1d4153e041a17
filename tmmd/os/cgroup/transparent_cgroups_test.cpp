// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/transparent_cgroups.hpp"

#include <gtest/gtest.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/cgroups/exceptions.hpp"
#include "base/temp_tree.hpp"
#include "tmmd/os/cgroup/cgroup_id.hpp"

namespace tmm::os {
namespace {

const std::string mount_point = cgroup_mount;

TEST(TransparentCgroups, FindsTheSlicesOfSystemAndUsers) {
    TempTree tree;
    tree.file(mount_point + "/cgroup.controllers", "memory\n");
    tree.dir(mount_point + "/transparent.slice/povray.scope");
    tree.dir(mount_point + "/user.slice/user-1000.slice/user@1000.service/transparent.slice");
    tree.dir(mount_point + "/user.slice/user-1000.slice/user@1000.service/app.slice/not-transparent.slice");
    EXPECT_EQ(find_transparent_cgroups(tree.root()).value(),
              (std::vector<std::string>{mount_point + "/transparent.slice",
                                        mount_point + "/user.slice/user-1000.slice/user@1000.service/transparent.slice"}));
}

TEST(TransparentCgroups, FindsTheExtendedAttribute) {
    TempTree tree;
    tree.file(mount_point + "/cgroup.controllers", "memory\n").dir(mount_point + "/boinc").dir(mount_point + "/other");
    if (::setxattr((tree.path() / mount_point / "boinc").c_str(), "user.tmm.class", "transparent", 11, 0) != 0)
        GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    ::setxattr((tree.path() / mount_point / "other").c_str(), "user.tmm.class", "opaque", 6, 0);
    EXPECT_EQ(find_transparent_cgroups(tree.root()).value(), (std::vector<std::string>{mount_point + "/boinc"}));
}

TEST(TransparentCgroups, AMarkedSessionIsNoContribution) {
    const std::string session = mount_point + "/user.slice/user-1000.slice/user@1000.service";
    TempTree tree;
    tree.file(mount_point + "/cgroup.controllers", "memory\n").dir(session + "/app.slice/app-boinc.scope");
    for (const std::string& marked : {session, session + "/app.slice", session + "/app.slice/app-boinc.scope"}) {
        if (::setxattr((tree.path() / marked).c_str(), "user.tmm.class", "transparent", 11, 0) != 0)
            GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    }
    EXPECT_EQ(find_transparent_cgroups(tree.root()).value(), std::vector<std::string>{session + "/app.slice/app-boinc.scope"});
}

TEST(TransparentCgroups, FindsProgramsThatAreNotCountedWithAllBelow) {
    const std::string apps = mount_point + "/user.slice/user-1000.slice/user@1000.service/app.slice";
    TempTree tree;
    tree.file(mount_point + "/cgroup.controllers", "memory\n").dir(apps + "/game.scope/below").dir(apps + "/other.scope");
    tree.dir(mount_point + "/transparent.slice/job.scope");
    const auto never_count = [&](const std::string& cgroup) {
        return set_exception(tree.root().subdir(cgroup).value(), Exception::never_count, true).has_value();
    };
    if (!never_count(apps + "/game.scope"))
        GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    ASSERT_TRUE(never_count(mount_point + "/transparent.slice/job.scope"));
    std::vector<core::CgroupId> wanted;
    for (const std::string cgroup : {"/user.slice/user-1000.slice/user@1000.service/app.slice/game.scope",
                                     "/user.slice/user-1000.slice/user@1000.service/app.slice/game.scope/below"})
        wanted.push_back(cgroup_id_of(tree.root(), cgroup));
    std::ranges::sort(wanted);
    EXPECT_EQ(find_marked_cgroups(tree.root()).value().uncounted, wanted) << "a contribution never counts anyway";
    ASSERT_TRUE(never_count(apps));
    EXPECT_EQ(find_marked_cgroups(tree.root()).value().uncounted, wanted) << "a mark of the whole session does not count";
}

TEST(TransparentCgroups, NoUserHasMoreThanTheirShareOfTheSearch) {
    TempTree tree;
    tree.file(mount_point + "/cgroup.controllers", "memory\n");
    for (int i = 0; i < 100; ++i)
        tree.dir(mount_point + "/crowd/" + std::to_string(i) + "/transparent.slice");
    const std::size_t share = ::geteuid() == 0 ? 80 : 20;
    // The crowd itself counts, then each of them and its slice.
    EXPECT_EQ(find_transparent_cgroups(tree.root(), 20).value().size(), (share - 1) / 2);
}

TEST(TransparentCgroups, ASliceIsFoundBesideACrowd) {
    TempTree tree;
    tree.file(mount_point + "/cgroup.controllers", "memory\n");
    for (int i = 0; i < 100; ++i)
        tree.dir(mount_point + "/crowd/" + std::to_string(i));
    tree.dir(mount_point + "/crowd/transparent.slice");
    EXPECT_EQ(find_transparent_cgroups(tree.root(), 20).value(),
              std::vector<std::string>{mount_point + "/crowd/transparent.slice"});
}

TEST(TransparentCgroups, AUserHasABoundedNumber) {
    TempTree tree;
    tree.file(mount_point + "/cgroup.controllers", "memory\n");
    for (int i = 0; i < 100; ++i)
        tree.dir(mount_point + "/crowd/" + std::to_string(i) + "/transparent.slice");
    if (::geteuid() == 0 && ::chown((tree.path() / mount_point / "crowd").c_str(), 1000, 1000) != 0)
        GTEST_SKIP() << "root cannot give a directory to another user here";
    EXPECT_EQ(find_transparent_cgroups(tree.root()).value().size(), max_transparent_per_user);
}

TEST(TransparentCgroups, BelongToTheFirstUserOnTheWay) {
    TempTree tree;
    tree.dir(mount_point + "/a/b/c");
    if (::geteuid() == 0 && ::chown((tree.path() / mount_point / "a/b").c_str(), 1000, 1000) != 0)
        GTEST_SKIP() << "root cannot give a directory to another user here";
    const uid_t user = ::geteuid() == 0 ? 1000 : ::geteuid();
    EXPECT_EQ(user_of(tree.root(), mount_point + "/a/b/c"), user);
    EXPECT_EQ(user_of(tree.root(), mount_point + "/a"), ::geteuid());
    EXPECT_EQ(user_of(tree.root(), mount_point + "/gone"), 0U);
}

TEST(TransparentCgroups, WithoutCgroupV2ItSaysWhatToDo) {
    TempTree tree;
    tree.dir(mount_point + "/memory");
    EXPECT_NE(find_transparent_cgroups(tree.root()).error().message().find("is not a cgroup v2 file system"), std::string::npos);
}

TEST(MarkTransparent, WritesOnceAndOnlyOnce) {
    TempTree tree;
    const std::string cgroup = mount_point + "/transparent.slice";
    tree.file(cgroup + "/memory.transparent", "0\n");
    const MarkResult first = mark_transparent(tree.root(), cgroup);
    EXPECT_TRUE(first.newly_marked);
    EXPECT_EQ(first.problem, "");
    EXPECT_EQ(tree.text(cgroup + "/memory.transparent").substr(0, 1), "1");
    EXPECT_FALSE(mark_transparent(tree.root(), cgroup).newly_marked);
}

TEST(MarkTransparent, AMissingFileIsAProblemAVanishedCgroupIsNot) {
    TempTree tree;
    tree.dir(mount_point + "/transparent.slice");
    EXPECT_NE(mark_transparent(tree.root(), mount_point + "/transparent.slice").problem, "");
    EXPECT_EQ(mark_transparent(tree.root(), mount_point + "/gone").problem, "");
}

TEST(TransparentCgroups, HoldWhatIsBelowThem) {
    const std::vector<std::string> transparent{"sys/fs/cgroup/transparent.slice", "sys/fs/cgroup/user/x"};
    EXPECT_TRUE(is_below("/transparent.slice", transparent));
    EXPECT_TRUE(is_below("/transparent.slice/povray", transparent));
    EXPECT_TRUE(is_below("/user/x/y/z", transparent));
    EXPECT_FALSE(is_below("/transparent.slices", transparent));
    EXPECT_FALSE(is_below("/user", transparent));
    EXPECT_FALSE(is_below("/", transparent));
    EXPECT_FALSE(is_below("", transparent));
    EXPECT_FALSE(is_below("/transparent.slice", {}));
}

}  // namespace
}  // namespace tmm::os
