// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/temp_tree.hpp"
#include "tmmd/os/cgroup/test_cgroups.hpp"
#include "tmmd/os/limits/applied_limits.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {
namespace {

// A machine of 100,000 pages with TMM. Its owner has a browser of 40,000 and an editor of 20,000, a contribution has 30,000.
class ClassLimitsTest : public testing::Test {
protected:
    ClassLimitsTest() {
        tree_.dir("run/tmm").file("sys/kernel/mm/lru_gen/enabled", "0x0007\n");
        const std::string tmm = "sys/kernel/mm/tmm/";
        tree_.file(tmm + "version", "1\n").file(tmm + "opaque_limit", "0\n").file(tmm + "transparent_limit", "0\n");
        tree_.file(tmm + "total", bytes(100'000)).file(tmm + "opaque_usage", bytes(60'000));
        tree_.file(tmm + "transparent_usage", bytes(30'000));
        cgroup("user.slice", 60'000);
        cgroup("user.slice/browser", 40'000);
        cgroup("user.slice/editor", 20'000);
        cgroup("transparent.slice", 30'000);
    }
    static std::string bytes(int pages) { return std::to_string(pages * page_bytes().count()) + "\n"; }
    void cgroup(const std::string& name, int pages) {
        tree_.file(top + name + "/memory.current", bytes(pages));
        for (const char* knob : {"/memory.min", "/memory.low"})
            tree_.file(top + name + knob, "0\n");
    }
    // So many pages of each are needed.
    std::vector<core::CgroupKeeps> need(int browser, int editor) {
        return {{inode("user.slice/browser"), core::Pages(browser)}, {inode("user.slice/editor"), core::Pages(editor)}};
    }
    [[nodiscard]] std::uint64_t inode(const std::string& name) const {
        struct stat status {};
        EXPECT_EQ(::stat((tree_.path() / (top + name)).c_str(), &status), 0);
        return status.st_ino;
    }
    // A write leaves what is beyond its end, which kernel files do not.
    [[nodiscard]] bool is(const std::string& path, int pages) const {
        const std::string wanted = std::to_string(pages * page_bytes().count());
        return tree_.text(path).substr(0, wanted.size()) == wanted;
    }
    [[nodiscard]] bool protects(const std::string& cgroup, int pages) const { return is(top + cgroup + "/memory.min", pages); }
    AppliedLimits open() { return AppliedLimits(KernelLimits::open_classes(root_).value()); }

    TempTree tree_;
    RootDir root_ = tree_.root();
    const std::vector<std::string> contributions_{top + "transparent.slice"};
    const Limits limits_{core::Pages(40'000), core::Pages(60'000)};
};

TEST_F(ClassLimitsTest, WithoutNeedsTheClassesAreEnough) {
    AppliedLimits sink = open();
    ASSERT_TRUE(sink.follow(contributions_));
    ASSERT_TRUE(sink.write(limits_));
    EXPECT_TRUE(is("sys/kernel/mm/tmm/opaque_limit", 40'000));
    EXPECT_TRUE(protects("user.slice", 0));
    EXPECT_FALSE(std::filesystem::exists(tree_.path() / "run/tmm/knobs"));
}

TEST_F(ClassLimitsTest, ProtectsTheCgroupThatNeedsItsMemory) {
    {
        AppliedLimits sink = open();
        ASSERT_TRUE(sink.follow(contributions_));
        ASSERT_TRUE(sink.write(limits_));
        ASSERT_TRUE(sink.protect_first(need(35'000, 0)));
        EXPECT_TRUE(protects("user.slice", 35'000)) << "the margin is for whoever needs it";
        EXPECT_TRUE(protects("user.slice/browser", 35'000));
        EXPECT_TRUE(protects("user.slice/editor", 0));
        EXPECT_TRUE(protects("transparent.slice", 0));
        // The owner turns to the editor.
        ASSERT_TRUE(sink.protect_first(need(0, 30'000)));
        EXPECT_TRUE(protects("user.slice/browser", 0));
        EXPECT_TRUE(protects("user.slice/editor", 30'000));
    }
    EXPECT_TRUE(protects("user.slice", 0));
    EXPECT_TRUE(protects("user.slice/editor", 0));
}

TEST_F(ClassLimitsTest, WaitsForALimit) {
    AppliedLimits sink = open();
    ASSERT_TRUE(sink.follow(contributions_));
    ASSERT_TRUE(sink.protect_first(need(10'000, 0)));
    EXPECT_TRUE(protects("user.slice", 0));
    ASSERT_TRUE(sink.write(limits_));
    EXPECT_TRUE(protects("user.slice", 10'000));
}

TEST_F(ClassLimitsTest, WritesLimitsOnlyWhenTheyChange) {
    AppliedLimits sink = open();
    ASSERT_TRUE(sink.write(limits_));
    tree_.file("sys/kernel/mm/tmm/opaque_limit", "0\n");
    ASSERT_TRUE(sink.write(limits_));
    EXPECT_TRUE(is("sys/kernel/mm/tmm/opaque_limit", 0));
    ASSERT_TRUE(sink.write({core::Pages(50'000), core::Pages(50'000)}));
    EXPECT_TRUE(is("sys/kernel/mm/tmm/opaque_limit", 50'000));
}

// If limits fell first, the kernel would take what is needed from under older protections.
TEST_F(ClassLimitsTest, NeedsComeBeforeTheLimitsThatFollowFromThem) {
    std::filesystem::remove(tree_.path() / "sys/kernel/mm/tmm/opaque_limit");
    AppliedLimits sink = open();
    ASSERT_TRUE(sink.protect_first(need(35'000, 0)));
    EXPECT_FALSE(sink.write(limits_)) << "the limit cannot be written";
    EXPECT_TRUE(protects("user.slice/browser", 35'000));
}

TEST_F(ClassLimitsTest, LimitsHoldThoughNoCgroupCanBeProtected) {
    std::filesystem::remove(tree_.path() / "run/tmm");
    tree_.file("run/tmm", "no directory");
    AppliedLimits sink = open();
    ASSERT_TRUE(sink.write(limits_));
    EXPECT_EQ(sink.problem(), "");
    ASSERT_TRUE(sink.protect_first(need(35'000, 0)));
    EXPECT_NE(sink.problem().find("run/tmm"), std::string::npos) << sink.problem();
    ASSERT_TRUE(sink.write({core::Pages(50'000), core::Pages(50'000)}));
    EXPECT_TRUE(is("sys/kernel/mm/tmm/opaque_limit", 50'000));
}

TEST_F(ClassLimitsTest, LeavesATenthOfMemoryToReclaim) {
    AppliedLimits sink = open();
    tree_.file("sys/kernel/mm/tmm/opaque_usage", bytes(100'000)).file("sys/kernel/mm/tmm/transparent_usage", bytes(0));
    cgroup("user.slice", 100'000);
    ASSERT_TRUE(sink.follow(contributions_));
    ASSERT_TRUE(sink.write(limits_));
    ASSERT_TRUE(sink.protect_first(need(80'000, 20'000)));
    EXPECT_TRUE(protects("user.slice", 90'000));
}

// Else the kernel could give all protection to the files of one cgroup, and kill beside them.
TEST_F(ClassLimitsTest, WithoutSwapNoCgroupBelowClaimsProtection) {
    AppliedLimits sink = open();
    tree_.file("sys/kernel/mm/tmm/opaque_usage", bytes(100'000)).file("sys/kernel/mm/tmm/transparent_usage", bytes(0));
    cgroup("user.slice", 100'000);
    tree_.file(top + "user.slice/memory.stat", "active_file " + bytes(50'000) + "inactive_file 0\nactive_anon " + bytes(50'000) +
                                                   "inactive_anon 0\nunevictable 0\n");
    tree_.file("proc/meminfo", "SwapFree: 0 kB\n");
    ASSERT_TRUE(sink.follow(contributions_));
    ASSERT_TRUE(sink.write(limits_));
    ASSERT_TRUE(sink.protect_first(need(60'000, 40'000)));
    EXPECT_TRUE(protects("user.slice/browser", 0));
    EXPECT_TRUE(protects("user.slice/editor", 0));
    EXPECT_FALSE(protects("user.slice", 90'000) || protects("user.slice", 0)) << "a fifth of it is not protected";
    tree_.file("proc/meminfo", "SwapFree: 1000000 kB\n");
    ASSERT_TRUE(sink.protect_first(need(60'000, 40'000)));
    EXPECT_TRUE(protects("user.slice", 90'000));
    EXPECT_TRUE(protects("user.slice/browser", 60'000));
}

TEST_F(ClassLimitsTest, NeedsAreProtectedInFullWhereEvictingFreesNothing) {
    AppliedLimits sink = open();
    tree_.file("sys/kernel/mm/tmm/opaque_usage", bytes(100'000)).file("sys/kernel/mm/tmm/transparent_usage", bytes(0));
    cgroup("user.slice", 100'000);
    ASSERT_TRUE(sink.follow(contributions_));
    ASSERT_TRUE(sink.write({core::Pages(40'000), core::Pages(60'000), core::Pages(0), false}));
    ASSERT_TRUE(sink.protect_first(need(80'000, 20'000)));
    EXPECT_TRUE(protects("user.slice", 100'000));
}

TEST_F(ClassLimitsTest, WithoutNeedsAnyMoreItGivesTheSettingsBack) {
    AppliedLimits sink = open();
    ASSERT_TRUE(sink.follow(contributions_));
    ASSERT_TRUE(sink.write(limits_));
    ASSERT_TRUE(sink.protect_first(need(30'000, 0)));
    EXPECT_TRUE(protects("user.slice", 30'000));
    ASSERT_TRUE(sink.protect_first({}));
    EXPECT_TRUE(protects("user.slice", 0));
    EXPECT_TRUE(protects("user.slice/browser", 0));
}

TEST_F(ClassLimitsTest, SwapInMemoryBelongsToNoClassSoContributionsAreFenced) {
    for (const char* knob : {"/memory.high", "/memory.swap.max"})
        tree_.file(contributions_[0] + knob, "max\n");
    const auto is_free = [&](const std::string& knob) { return tree_.text(contributions_[0] + knob).starts_with("max"); };
    {
        AppliedLimits sink = open();
        ASSERT_TRUE(sink.write(limits_));
        ASSERT_TRUE(sink.follow(contributions_));
        EXPECT_TRUE(is_free("/memory.swap.max") && is_free("/memory.high")) << "without swap the classes are enough";
        tree_.file("proc/swaps", "Filename Type Size Used Priority\n/dev/zram0 partition 1000 0 100\n");
        ASSERT_TRUE(sink.follow(contributions_));
        EXPECT_TRUE(is(contributions_[0] + "/memory.swap.max", 4'000));
        EXPECT_TRUE(is(contributions_[0] + "/memory.high", 90'000)) << "60,000 beyond what is on no list";
        ASSERT_TRUE(sink.protect_first(need(35'000, 0)));
        EXPECT_TRUE(protects("user.slice/browser", 35'000));
        EXPECT_TRUE(is(contributions_[0] + "/memory.swap.max", 4'000)) << "both at once";
    }
    EXPECT_TRUE(is_free("/memory.swap.max") && is_free("/memory.high")) << "given back";
}

TEST_F(ClassLimitsTest, UnknownCgroupsAreNoNeed) {
    AppliedLimits sink = open();
    ASSERT_TRUE(sink.follow(contributions_));
    ASSERT_TRUE(sink.write(limits_));
    ASSERT_TRUE(sink.protect_first({{core::unknown_cgroup, core::Pages(10'000)}}));
    EXPECT_FALSE(std::filesystem::exists(tree_.path() / "run/tmm/knobs"));
}

TEST_F(ClassLimitsTest, CgroupsThatCannotBeReadLeaveTheLimits) {
    std::filesystem::remove_all(tree_.path() / "sys/fs/cgroup");
    AppliedLimits sink = open();
    ASSERT_TRUE(sink.write(limits_));
    EXPECT_TRUE(sink.protect_first({}));
}

}  // namespace
}  // namespace tmm::os
