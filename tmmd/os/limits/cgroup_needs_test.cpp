// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/limits/cgroup_needs.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/temp_tree.hpp"
#include "tmmd/os/cgroup/open_cgroup.hpp"
#include "tmmd/os/cgroup/test_cgroups.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {
namespace {

class CgroupNeedsTest : public testing::Test {
protected:
    CgroupNeedsTest() {
        cgroup("user.slice", 900);
        cgroup("user.slice/browser", 600);
        cgroup("user.slice/editor", 300);
        cgroup("system.slice", 50);
    }
    void cgroup(const std::string& name, int pages) {
        tree_.file(top + name + "/memory.current", std::to_string(pages * page_bytes().count()) + "\n");
    }
    [[nodiscard]] std::uint64_t inode(const std::string& name) const {
        struct stat status {};
        EXPECT_EQ(::stat((tree_.path() / (top + name)).c_str(), &status), 0);
        return status.st_ino;
    }
    TempTree tree_;
};

TEST_F(CgroupNeedsTest, AddsUpTheNeedsOfACgroupAndAllBelow) {
    const core::CgroupNeeds needs =
        read_cgroup_needs(tree_.root(), std::vector<core::CgroupKeeps>{{inode("user.slice/browser"), core::Pages(24)},
                                                                       {inode("user.slice"), core::Pages(4)},
                                                                       {core::unknown_cgroup, core::Pages(99)},
                                                                       {999'999'999, core::Pages(99)}})
            .needs;  // removed meanwhile
    ASSERT_EQ(needs.size(), 4U);
    EXPECT_EQ(needs.at(top + "user.slice").pages, core::Pages(28));
    EXPECT_EQ(needs.at(top + "user.slice").usage, core::Pages(900));
    EXPECT_EQ(needs.at(top + "user.slice/browser").pages, core::Pages(24));
    EXPECT_EQ(needs.at(top + "user.slice/editor").pages, core::Pages(0));
    EXPECT_EQ(needs.at(top + "system.slice").pages, core::Pages(0));
}

// A user with many cgroups takes the needs of nobody else, and has none for what is beyond the bound.
TEST_F(CgroupNeedsTest, ManyCgroupsOfAUserTakeNothingFromOthers) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root makes cgroups of several users";
    for (int i = 0; i < 10; ++i)
        cgroup("mallory.slice/a" + std::to_string(i), 0);
    cgroup("mallory.slice/hog", 400);
    cgroup("mallory.slice", 400);
    ASSERT_EQ(::chown((tree_.path() / (top + "mallory.slice")).c_str(), 1000, 1000), 0);
    ASSERT_EQ(::chown((tree_.path() / (top + "user.slice")).c_str(), 1001, 1001), 0);
    const std::vector<core::CgroupKeeps> kept{{inode("mallory.slice/hog"), core::Pages(100)},
                                              {inode("user.slice/browser"), core::Pages(24)}};
    const auto [needs, left_out] = read_cgroup_needs(tree_.root(), kept, 4);
    EXPECT_EQ(left_out, (std::set<uid_t>{1000}));
    EXPECT_EQ(needs.at(top + "mallory.slice").pages, core::Pages(0));
    EXPECT_EQ(needs.at(top + "user.slice").pages, core::Pages(24));
    EXPECT_EQ(read_cgroup_needs(tree_.root(), kept, 12).needs.at(top + "mallory.slice").pages, core::Pages(100));
}

TEST_F(CgroupNeedsTest, AChainOfCgroupsEndsAtTheDepthOfAWalk) {
    std::string chain = "user.slice/browser";
    for (int depth = 0; depth < 100; ++depth)
        chain += "/x";
    cgroup(chain, 200);
    EXPECT_EQ(read_cgroup_needs(tree_.root(), {}).needs.size(), 4U) << "those without a memory controller have no need";
    std::string path = "user.slice/browser";
    for (int depth = 3; depth <= OpenCgroup::max_depth + 1; ++depth) {
        path += "/x";
        cgroup(path, 10);
    }
    const core::CgroupNeeds needs = read_cgroup_needs(tree_.root(), {}).needs;
    EXPECT_FALSE(needs.contains(top + path));
    EXPECT_TRUE(needs.contains(top + path.substr(0, path.size() - 2)));
}

}  // namespace
}  // namespace tmm::os
