// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/protection/cgroup_needs.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <vector>

#include "base/temp_tree.hpp"
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
                                                                       {999'999'999, core::Pages(99)}});  // removed meanwhile
    ASSERT_EQ(needs.size(), 4U);
    EXPECT_EQ(needs.at(top + "user.slice").pages, core::Pages(28));
    EXPECT_EQ(needs.at(top + "user.slice").usage, core::Pages(900));
    EXPECT_EQ(needs.at(top + "user.slice/browser").pages, core::Pages(24));
    EXPECT_EQ(needs.at(top + "user.slice/editor").pages, core::Pages(0));
    EXPECT_EQ(needs.at(top + "system.slice").pages, core::Pages(0));
}

// A user with many cgroups must not make the memory of others look idle.
TEST_F(CgroupNeedsTest, CgroupsBeyondTheBoundNeedAllThatTheyHave) {
    cgroup("user.slice/browser/tab", 200);
    const std::vector<core::CgroupKeeps> kept{{inode("system.slice"), core::Pages(20)},
                                              {inode("user.slice/browser"), core::Pages(24)}};
    // The root, system.slice, user.slice and browser.
    const core::CgroupNeeds needs = read_cgroup_needs(tree_.root(), kept, 4);
    ASSERT_EQ(needs.size(), 3U);
    EXPECT_EQ(needs.at(top + "system.slice").pages, core::Pages(20)) << "all of it was looked at";
    EXPECT_EQ(needs.at(top + "user.slice/browser").pages, core::Pages(600));
    EXPECT_EQ(needs.at(top + "user.slice").pages, core::Pages(900));
    const core::CgroupNeeds more = read_cgroup_needs(tree_.root(), kept, 5);
    EXPECT_EQ(more.at(top + "user.slice/browser").pages, core::Pages(24));
    EXPECT_EQ(more.at(top + "user.slice").pages, core::Pages(324)) << "and the editor's 300";
    EXPECT_FALSE(more.contains(top + "user.slice/editor"));
    EXPECT_EQ(read_cgroup_needs(tree_.root(), kept, 6).at(top + "user.slice").pages, core::Pages(24));
}

}  // namespace
}  // namespace tmm::os
