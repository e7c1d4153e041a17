// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/far_report.hpp"

#include <gtest/gtest.h>

#include "base/cgroups/far_bytes.hpp"
#include "base/temp_tree.hpp"

namespace tmm::far {
namespace {

TEST(FarReportTest, EachCgroupHasWhatItsProgramsHave) {
    TempTree tree;
    tree.dir("sys/fs/cgroup/a");
    tree.dir("sys/fs/cgroup/a/b");
    const RootDir root = tree.root();
    const auto bytes_of = [&](const char* cgroup) { return far_bytes(root.subdir(cgroup).value()); };
    if (!set_far_bytes(root.subdir("sys/fs/cgroup/a").value(), 0))
        GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    FarReport report(root);
    report.tell({{"/a", 5}, {"/a/b", 7}, {"/gone", 9}});
    EXPECT_EQ(bytes_of("sys/fs/cgroup/a"), 5U);
    EXPECT_EQ(bytes_of("sys/fs/cgroup/a/b"), 7U);
    report.tell({{"/a", 6}});
    EXPECT_EQ(bytes_of("sys/fs/cgroup/a"), 6U);
    EXPECT_EQ(bytes_of("sys/fs/cgroup/a/b"), 0U) << "its program ended";
}

}  // namespace
}  // namespace tmm::far
