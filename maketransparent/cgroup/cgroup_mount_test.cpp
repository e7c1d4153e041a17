// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/cgroup/cgroup_mount.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/temp_tree.hpp"

namespace tmm {
namespace {

constexpr const char* unified = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 master:1 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr const char* outer = "31 23 0:26 /.. /sys/fs/cgroup/unified rw - cgroup2 cgroup rw\n";
constexpr const char* legacy = "32 23 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";

TEST(ParseMountinfo, FindsCgroup2WithAndWithoutTags) {
    const auto mount = parse_mountinfo(std::string(legacy) + unified);
    ASSERT_TRUE(mount) << mount.error().message();
    EXPECT_EQ(mount->point, "/sys/fs/cgroup");
    EXPECT_EQ(parse_mountinfo(outer)->root, "/..");
}

TEST(ParseMountinfo, PrefersTheMountThatShowsAll) {
    EXPECT_EQ(parse_mountinfo(std::string(outer) + unified)->point, "/sys/fs/cgroup");
    EXPECT_EQ(parse_mountinfo(std::string(unified) + outer)->point, "/sys/fs/cgroup");
}

TEST(ParseMountinfo, Unescapes) {
    EXPECT_EQ(parse_mountinfo(R"(1 1 0:1 / /my\040mount\134x\04 rw - cgroup2 none rw)")->point, "/my mount\\x\\04");
}

TEST(ParseMountinfo, SaysWhatToDoWithoutCgroup2) {
    for (const std::string text : {"", legacy, "1 2 - cgroup2 x rw\n", " - cgroup2 x", "garbage", "1 1 0:1 / /x rw - cgroup2"}) {
        const auto mount = parse_mountinfo(text);
        ASSERT_FALSE(mount) << text;
        EXPECT_EQ(mount.error().code(), ENOENT);
        EXPECT_NE(mount.error().message().find("systemd.unified_cgroup_hierarchy=1"), std::string::npos);
    }
}

TEST(CgroupMount, MapsCgroupsToDirectories) {
    const CgroupMount all{"/", "/sys/fs/cgroup"};
    EXPECT_EQ(all.dir_of("/"), "/sys/fs/cgroup");
    EXPECT_EQ(all.dir_of("/a/b"), "/sys/fs/cgroup/a/b");
    const CgroupMount part{"/docker/1", "/mnt"};
    EXPECT_EQ(part.dir_of("/docker/1"), "/mnt");
    EXPECT_EQ(part.dir_of("/docker/1/x"), "/mnt/x");
    EXPECT_EQ(part.dir_of("/docker/12"), "/mnt/docker/12");
}

TEST(FindCgroupMount, ReadsTheProcessesOwnMounts) {
    TempTree tree;
    tree.file("proc/self/mountinfo", unified);
    EXPECT_EQ(find_cgroup_mount(tree.root())->point, "/sys/fs/cgroup");
}

}  // namespace
}  // namespace tmm
