// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/counts/generation_sorter.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include "base/temp_tree.hpp"
#include "tmmd/os/cgroup/cgroup_id.hpp"
#include "tmmd/os/sources/counts/fake_lru_gen.hpp"

namespace tmm::os {
namespace {

class GenerationSorterTest : public testing::Test {
protected:
    GenerationSorterTest() { tree_.dir("sys/fs/cgroup/user.slice").dir("sys/fs/cgroup/system.slice"); }

    [[nodiscard]] core::CgroupId id_of(const char* cgroup) const { return cgroup_id_of(root_, cgroup); }
    Result<void> sort(std::vector<core::CgroupId> cgroups) { return sorter_.sort(cgroups); }
    [[nodiscard]] bool is_older(std::size_t page, std::size_t than) const {
        return kernel_.pages[page].generation < kernel_.pages[than].generation;
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    FakeGenerations kernel_;
    GenerationSorter sorter_{root_, std::make_unique<FakeLruGen>(kernel_)};
};

TEST_F(GenerationSorterTest, PagesThatWereNotUsedSinceThenAreOlder) {
    kernel_.add(2);
    ASSERT_TRUE(sort({id_of("/user.slice")}));
    EXPECT_FALSE(is_older(0, 1)) << "both were used since the kernel aged last";
    kernel_.use(1);
    ASSERT_TRUE(sort({id_of("/user.slice")}));
    EXPECT_TRUE(is_older(0, 1));
}

TEST_F(GenerationSorterTest, LeavesOtherCgroupsAlone) {
    kernel_.add(1);
    kernel_.add(1, false, FakeGenerations::system);
    ASSERT_TRUE(sort({id_of("/system.slice")}));
    EXPECT_EQ(kernel_.calls, 1);
    EXPECT_EQ(kernel_.memcgs.at(FakeGenerations::owner).youngest, 1U);
    EXPECT_EQ(kernel_.memcgs.at(FakeGenerations::system).youngest, 2U);
    EXPECT_FALSE(kernel_.guest_was_aged);
}

TEST_F(GenerationSorterTest, ACgroupThatWasRemovedIsLeftOut) {
    kernel_.add(1);
    ASSERT_TRUE(sort({id_of("/user.slice") + 1000}));
    std::filesystem::remove(tree_.path() / "sys/fs/cgroup/user.slice");
    ASSERT_TRUE(sort({core::unknown_cgroup}));
    EXPECT_EQ(kernel_.calls, 0);
}

TEST_F(GenerationSorterTest, TellsWhyTheKernelRefuses) {
    kernel_.error = EPERM;
    const auto sorted = sort({id_of("/user.slice")});
    ASSERT_FALSE(sorted);
    EXPECT_EQ(sorted.error().code(), EPERM);
}

}  // namespace
}  // namespace tmm::os
