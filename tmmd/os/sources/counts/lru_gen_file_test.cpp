// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/counts/lru_gen_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

const std::string enabled = "sys/kernel/mm/lru_gen/enabled";
const std::string lists = "sys/kernel/debug/lru_gen";

class LruGenFileTest : public testing::Test {
protected:
    LruGenFileTest() { tree_.file(enabled, "0x0007\n").file(lists, "memcg 1 /\n"); }
    // Expects that it cannot be opened, for a reason that has these words.
    void expect_refusal(int code, const std::string& words) {
        const auto refused = LruGenFile::open(root_);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code(), code);
        EXPECT_NE(refused.error().message().find(words), std::string::npos) << refused.error().message();
    }
    TempTree tree_;
    RootDir root_ = tree_.root();
};

TEST_F(LruGenFileTest, ReadsAndAges) {
    auto file = LruGenFile::open(root_);
    ASSERT_TRUE(file) << file.error().message();
    EXPECT_EQ(file->read().value(), "memcg 1 /\n");
    tree_.file(lists, "");
    ASSERT_TRUE(file->age(47, 1, 10));
    EXPECT_EQ(tree_.text(lists), "+ 47 1 10 1 1\n");
}

TEST_F(LruGenFileTest, AKernelWithoutGenerationsIsNamed) {
    std::filesystem::remove(tree_.path() / enabled);
    expect_refusal(ENODEV, "CONFIG_LRU_GEN");
}

TEST_F(LruGenFileTest, GenerationsMustBeOnAndWalkPageTables) {
    tree_.file(enabled, "0x0000\n");
    expect_refusal(ENODEV, "is off: echo y >");
    tree_.file(enabled, "0x0006\n");
    expect_refusal(ENODEV, "is off: echo y >");
    tree_.file(enabled, "0x0005\n");
    expect_refusal(ENODEV, "does not walk page tables: echo y >");
    tree_.file(enabled, "0x0003\n");
    EXPECT_TRUE(LruGenFile::open(root_));
}

TEST_F(LruGenFileTest, SaysHowToMountDebugfs) {
    std::filesystem::remove(tree_.path() / lists);
    expect_refusal(ENODEV, "debugfs is not mounted: mount -t debugfs");
}

TEST_F(LruGenFileTest, NoticesThatItIsLost) {
    auto file = LruGenFile::open(root_);
    ASSERT_TRUE(file);
    EXPECT_FALSE(file->has_failed());
    tree_.file(enabled, "0x0000\n");
    EXPECT_TRUE(file->has_failed());
    EXPECT_EQ(file->read().error().code(), ENODEV);
    tree_.file(enabled, "0x0007\n");
    EXPECT_FALSE(file->has_failed());
    EXPECT_TRUE(file->read());
    std::filesystem::remove(tree_.path() / lists);
    EXPECT_TRUE(file->has_failed());
    EXPECT_NE(file->read().error().message().find("debugfs is not mounted"), std::string::npos);
    EXPECT_NE(file->age(1, 0, 1).error().message().find("debugfs is not mounted"), std::string::npos);
}

TEST(LruGenFile, ExplainsTheErrorsOfDebugfs) {
    EXPECT_NE(explained_debugfs_error({EPERM, "x"}, "/d").message().find("Secure Boot"), std::string::npos);
    EXPECT_NE(explained_debugfs_error({EROFS, "x"}, "/d").message().find("read-only"), std::string::npos);
    EXPECT_NE(explained_debugfs_error({EACCES, "x"}, "/d").message().find("root"), std::string::npos);
    EXPECT_EQ(explained_debugfs_error({EIO, "x"}, "/d").message(), "x");
}

TEST(LruGenFile, ACgroupThatCannotBeAgedNowIsNoError) {
    for (const int code : {EINVAL, EEXIST, ERANGE})
        EXPECT_TRUE(is_passing_ageing_error(code));
    for (const int code : {EPERM, ENOENT, EIO, ENOMEM})
        EXPECT_FALSE(is_passing_ageing_error(code));
}

TEST(CgroupIds, OfManyListsHideNoOtherUsers) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root makes cgroups of several users";
    TempTree tree;
    std::vector<core::Generations> lists;
    for (const char* cgroup : {"/mallory/a", "/mallory/b", "/mallory/c", "/user.slice"}) {
        tree.dir("sys/fs/cgroup" + std::string(cgroup));
        lists.emplace_back().cgroup = cgroup;
    }
    ASSERT_EQ(::chown((tree.path() / "sys/fs/cgroup/mallory").c_str(), 1000, 1000), 0);
    add_cgroup_ids(tree.root(), lists, 2);
    EXPECT_NE(lists[1].id, core::unknown_cgroup);
    EXPECT_EQ(lists[2].id, core::unknown_cgroup);
    EXPECT_NE(lists[3].id, core::unknown_cgroup);
}

}  // namespace
}  // namespace tmm::os
