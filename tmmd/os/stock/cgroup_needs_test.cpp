// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/stock/cgroup_needs.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/temp_tree.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {
namespace {

const std::string top = "sys/fs/cgroup/";

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
    // The frames' cgroups, from frame 0 on.
    void charge(const std::vector<std::uint64_t>& inodes) {
        tree_.file("proc/kpagecgroup",
                   std::string(reinterpret_cast<const char*>(inodes.data()), inodes.size() * sizeof inodes[0]));
    }

    TempTree tree_;
};

TEST_F(CgroupNeedsTest, AddsUpThePagesOfACgroupAndAllBelow) {
    std::vector<std::uint64_t> inodes(1000, 0);
    inodes[3] = inodes[500] = inodes[501] = inode("user.slice/browser");
    inodes[7] = inode("user.slice");
    inodes[900] = inode("system.slice");
    charge(inodes);
    const auto needs = read_cgroup_needs(tree_.root(), {{501, core::Pages(8)},
                                                        {3, core::Pages(8)},
                                                        {500, core::Pages(8)},
                                                        {7, core::Pages(4)},
                                                        {600, core::Pages(99)},  // charged to nobody
                                                        {999'999, core::Pages(99)}});
    ASSERT_TRUE(needs) << needs.error().message();
    ASSERT_EQ(needs->size(), 4U);
    EXPECT_EQ(needs->at(top + "user.slice").pages, core::Pages(28));
    EXPECT_EQ(needs->at(top + "user.slice").usage, core::Pages(900));
    EXPECT_EQ(needs->at(top + "user.slice/browser").pages, core::Pages(24));
    EXPECT_EQ(needs->at(top + "user.slice/editor").pages, core::Pages(0));
    EXPECT_EQ(needs->at(top + "system.slice").pages, core::Pages(0)) << "page 900 is not needed";
}

TEST_F(CgroupNeedsTest, NoPageNeedsNothing) {
    charge({});
    const auto needs = read_cgroup_needs(tree_.root(), {});
    ASSERT_TRUE(needs);
    EXPECT_EQ(needs->at(top + "user.slice").pages, core::Pages(0));
}

TEST_F(CgroupNeedsTest, NamesAMissingFile) {
    const auto needs = read_cgroup_needs(tree_.root(), {{3, core::Pages(1)}});
    ASSERT_FALSE(needs);
    EXPECT_EQ(needs.error().code(), ENOENT);
    EXPECT_NE(needs.error().message().find("proc/kpagecgroup"), std::string::npos);
}

}  // namespace
}  // namespace tmm::os
