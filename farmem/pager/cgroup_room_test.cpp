// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/cgroup_room.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"

namespace tmm::far {
namespace {

TEST(CgroupRoomTest, IsTheLeastOfAllCgroupsAbove) {
    TempTree tree;
    tree.file("proc/7/cgroup", "1:memory:/old\n0::/transparent.slice/job\n");
    tree.file("sys/fs/cgroup/transparent.slice/memory.current", "700\n");
    tree.file("sys/fs/cgroup/transparent.slice/memory.high", "1000\n");
    tree.file("sys/fs/cgroup/transparent.slice/memory.max", "max\n");
    tree.file("sys/fs/cgroup/transparent.slice/job/memory.current", "600\n");
    tree.file("sys/fs/cgroup/transparent.slice/job/memory.high", "max\n");
    ASSERT_EQ(cgroup_of(tree.root(), 7).value(), "/transparent.slice/job");
    EXPECT_EQ(cgroup_room(tree.root(), "/transparent.slice/job"), 300);
    tree.file("sys/fs/cgroup/transparent.slice/job/memory.max", "500\n");
    EXPECT_EQ(cgroup_room(tree.root(), "/transparent.slice/job"), -100);
    EXPECT_FALSE(cgroup_of(tree.root(), 8));
}

TEST(CgroupRoomTest, WithoutALimitHasNoBound) {
    TempTree tree;
    EXPECT_EQ(cgroup_room(tree.root(), "/a"), no_bound);
    EXPECT_EQ(cgroup_room(tree.root(), "/"), no_bound);
    tree.file("proc/7/cgroup", "4:memory:/a\n");
    EXPECT_EQ(cgroup_of(tree.root(), 7).error().code(), ENODATA);
}

TEST(FollowTest, TakesWhatThereIsWithinItsBounds) {
    EXPECT_EQ(follow(100, 50, 10, 1000), 150U);
    EXPECT_EQ(follow(100, -50, 10, 1000), 50U);
    EXPECT_EQ(follow(100, -500, 10, 1000), 10U);
    EXPECT_EQ(follow(100, no_bound, 10, 1000), 1000U);
}

}  // namespace
}  // namespace tmm::far
