// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/limits/cgroup_tree.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

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

std::size_t nr_below(const core::CgroupUsage& cgroup) {
    std::size_t sum = cgroup.children.size();
    for (const core::CgroupUsage& child : cgroup.children)
        sum += nr_below(child);
    return sum;
}

// A user who makes more and more cgroups.
class CrowdedTreeTest : public CgroupTreeTest {
protected:
    // Gives a cgroup that root made to a user. False: it cannot be done here.
    bool give(const std::string& path, uid_t user) {
        return ::geteuid() != 0 || ::chown((tree_.path() / "sys/fs/cgroup" / path).c_str(), user, user) == 0;
    }
    core::CgroupUsage read(const std::string& name, const std::vector<std::string>& transparent) {
        const auto found = read_cgroup_usages(tree_.root(), transparent);
        EXPECT_TRUE(found);
        for (const core::CgroupUsage& one : found ? *found : std::vector<core::CgroupUsage>()) {
            if (one.path.ends_with("/" + name))
                return one;
        }
        ADD_FAILURE() << name << " is not there";
        return {};
    }
};

TEST_F(CrowdedTreeTest, ACrowdCountsAsAWhole) {
    cgroup("crowd", 600);
    for (std::size_t i = 0; i < max_neighbours + 1; ++i)
        cgroup("crowd/" + std::to_string(i), 1);
    ASSERT_TRUE(give("crowd", 1000));
    const core::CgroupUsage crowd = read("crowd", {"sys/fs/cgroup/crowd/0"});
    EXPECT_TRUE(crowd.children.empty());
    EXPECT_EQ(crowd.usage, core::Pages(600));
}

TEST_F(CrowdedTreeTest, AllCrowdsOfAUserShareOneBound) {
    std::string path = "crowd";
    std::vector<std::string> transparent;
    for (int depth = 0; depth < 6; ++depth) {
        cgroup(path, 1);
        for (int i = 0; i < 150; ++i)
            cgroup(path + "/" + std::to_string(i), 1);
        transparent.push_back("sys/fs/cgroup/" + path + "/transparent.slice");
        path += "/deeper";
    }
    cgroup("victim", 9);
    cgroup("victim/app", 9);
    ASSERT_TRUE(give("crowd", 1000) && give("victim", 1001));
    transparent.emplace_back("sys/fs/cgroup/victim/transparent.slice");
    const core::CgroupUsage crowd = read("crowd", transparent);
    EXPECT_LE(nr_below(crowd), max_neighbours);
    EXPECT_GT(nr_below(crowd), max_neighbours / 2);
    EXPECT_EQ(read("victim", transparent).children.size(), 1U) << "nor do they take another user's";
}

TEST_F(CrowdedTreeTest, LongPathsAreBoundedToo) {
    std::string path = "crowd";
    std::vector<std::string> transparent;
    const std::string name(200, 'x');
    for (int depth = 0; depth < 12; ++depth) {
        cgroup(path, 1);
        for (int i = 0; i < 35; ++i)
            cgroup(path + "/" + name + std::to_string(i), 1);
        transparent.push_back("sys/fs/cgroup/" + path + "/transparent.slice");
        path += "/" + name;
    }
    ASSERT_TRUE(give("crowd", 1000));
    const core::CgroupUsage crowd = read("crowd", transparent);
    EXPECT_LT(nr_below(crowd), 200U) << "of 431, with 700 bytes in the mean";
    EXPECT_GT(nr_below(crowd), 100U);
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
