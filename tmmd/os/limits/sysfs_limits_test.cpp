// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/limits/sysfs_limits.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/temp_tree.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {
namespace {

const std::string dir = "sys/kernel/mm/tmm/";

class SysfsLimitsTest : public testing::Test {
protected:
    SysfsLimitsTest() {
        tree_.file(dir + "version", "1\n").file(dir + "opaque_limit", "").file(dir + "transparent_limit", "");
        tree_.file(dir + "total", "409600000\n")
            .file(dir + "opaque_usage", "204800000\n")
            .file(dir + "transparent_usage", "40960\n");
    }
    TempTree tree_;
};

TEST_F(SysfsLimitsTest, WritesBytes) {
    auto limits = SysfsLimits::open(tree_.root());
    ASSERT_TRUE(limits) << limits.error().message();
    ASSERT_TRUE(limits->write({core::Pages(100), core::Pages(7)}));
    EXPECT_EQ(tree_.text(dir + "opaque_limit"), std::to_string(100 * page_bytes().count()));
    EXPECT_EQ(tree_.text(dir + "transparent_limit"), std::to_string(7 * page_bytes().count()));
}

TEST_F(SysfsLimitsTest, ReadsPages) {
    auto limits = SysfsLimits::open(tree_.root());
    const auto usage = limits->usage();
    ASSERT_TRUE(usage);
    EXPECT_EQ(usage->total, core::to_pages(Bytes(409600000), page_bytes()));
    EXPECT_EQ(usage->opaque, core::to_pages(Bytes(204800000), page_bytes()));
    EXPECT_EQ(usage->transparent, core::to_pages(Bytes(40960), page_bytes()));
}

TEST_F(SysfsLimitsTest, GarbageNamesTheFile) {
    tree_.file(dir + "opaque_usage", "lots\n");
    auto limits = SysfsLimits::open(tree_.root());
    EXPECT_EQ(limits->usage().error().message(),
              (tree_.path() / dir / "opaque_usage").string() + ": 'lots\n' is not a whole number");
}

TEST_F(SysfsLimitsTest, AnotherVersionIsRefused) {
    tree_.file(dir + "version", "2\n");
    const auto limits = SysfsLimits::open(tree_.root());
    ASSERT_FALSE(limits);
    EXPECT_NE(limits.error().message().find("is '2', this tmmd knows only version 1"), std::string::npos)
        << limits.error().message();
}

TEST(SysfsLimits, AnUnpatchedKernelIsNamed) {
    TempTree tree;
    tree.dir("sys/kernel/mm");
    const auto limits = SysfsLimits::open(tree.root());
    EXPECT_EQ(limits.error().code(), ENODEV) << "callers tell a kernel without TMM by it";
    EXPECT_NE(limits.error().message().find("the running kernel has no TMM"), std::string::npos);
}

}  // namespace
}  // namespace tmm::os
