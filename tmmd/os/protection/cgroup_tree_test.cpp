// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/protection/cgroup_tree.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/temp_tree.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {
namespace {

class CgroupTreeTest : public testing::Test {
protected:
    void cgroup(const std::string& path, int pages) {
        tree_.file("sys/fs/cgroup/" + path + "/memory.current", std::to_string(pages * page_bytes().count()) + "\n");
    }
    TempTree tree_;
};

TEST_F(CgroupTreeTest, ListsTheTopAndTheNeighboursOfContributions) {
    cgroup("system.slice", 10);
    cgroup("system.slice/cron.service", 5);
    cgroup("user.slice", 100);
    cgroup("user.slice/browser", 60);
    cgroup("user.slice/browser/tab", 30);
    cgroup("user.slice/transparent.slice", 40);
    cgroup("user.slice/transparent.slice/task", 40);
    tree_.dir("sys/fs/cgroup/dev-hugepages.mount");  // no memory controller
    const auto found = read_cgroup_usages(tree_.root(), {"sys/fs/cgroup/user.slice/transparent.slice"});
    ASSERT_TRUE(found) << found.error().message();
    ASSERT_EQ(found->size(), 2U);
    EXPECT_EQ((*found)[0].path, "sys/fs/cgroup/system.slice");
    EXPECT_EQ((*found)[0].usage, core::Pages(10));
    EXPECT_TRUE((*found)[0].children.empty());
    const core::CgroupUsage& user = (*found)[1];
    EXPECT_EQ(user.usage, core::Pages(100));
    EXPECT_FALSE(user.transparent);
    ASSERT_EQ(user.children.size(), 2U);
    EXPECT_EQ(user.children[0].path, "sys/fs/cgroup/user.slice/browser");
    EXPECT_TRUE(user.children[0].children.empty());
    EXPECT_TRUE(user.children[1].transparent);
    EXPECT_TRUE(user.children[1].children.empty());
}

TEST_F(CgroupTreeTest, ANameThatOnlyBeginsAlikeIsNotOnTheWay) {
    cgroup("user", 10);
    cgroup("user/a", 10);
    cgroup("user.slice", 10);
    cgroup("user.slice/transparent.slice", 5);
    const auto found = read_cgroup_usages(tree_.root(), {"sys/fs/cgroup/user.slice/transparent.slice"});
    ASSERT_TRUE(found);
    EXPECT_TRUE((*found)[0].children.empty());
    EXPECT_EQ((*found)[1].children.size(), 1U);
}

TEST_F(CgroupTreeTest, AUserWithManyCgroupsBoundsTheWork) {
    for (std::size_t i = 0; i < max_neighbours + 10; ++i)
        cgroup("user.slice/" + std::to_string(i), 1);
    const auto found = read_cgroup_usages(tree_.root(), {"sys/fs/cgroup/user.slice/transparent.slice"});
    ASSERT_FALSE(found) << "user.slice itself has no memory controller here";
    cgroup("user.slice", 600);
    const auto bounded = read_cgroup_usages(tree_.root(), {"sys/fs/cgroup/user.slice/transparent.slice"});
    ASSERT_TRUE(bounded);
    EXPECT_EQ((*bounded)[0].children.size(), max_neighbours);
}

TEST_F(CgroupTreeTest, WithoutAMemoryControllerSaysWhatToDo) {
    tree_.dir("sys/fs/cgroup/user.slice");
    const auto found = read_cgroup_usages(tree_.root(), {});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code(), ENODEV);
    EXPECT_NE(found.error().message().find("systemd.unified_cgroup_hierarchy=1"), std::string::npos);
}

}  // namespace
}  // namespace tmm::os
