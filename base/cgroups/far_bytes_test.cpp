// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cgroups/far_bytes.hpp"

#include <gtest/gtest.h>
#include <sys/xattr.h>

#include <limits>
#include <string>

#include "base/temp_tree.hpp"

namespace tmm {
namespace {

TEST(FarBytesTest, AreTheNumberThatWasSet) {
    TempTree tree;
    tree.dir("job.scope");
    const RootDir cgroup = tree.root().subdir("job.scope").value();
    EXPECT_EQ(far_bytes(cgroup), 0U);
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    if (!set_far_bytes(cgroup, most))
        GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    EXPECT_EQ(far_bytes(cgroup), most);
    ASSERT_TRUE(set_far_bytes(cgroup, 5));
    EXPECT_EQ(far_bytes(cgroup), 5U);
    for (const std::string text : {"", "-1", "5x", "99999999999999999999", "1234567890123456789012345"}) {
        ASSERT_EQ(::fsetxattr(cgroup.fd(), "user.tmm.far", text.data(), text.size(), 0), 0);
        EXPECT_EQ(far_bytes(cgroup), 0U) << text;
    }
}

}  // namespace
}  // namespace tmm
