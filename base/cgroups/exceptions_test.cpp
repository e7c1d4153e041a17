// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cgroups/exceptions.hpp"

#include <gtest/gtest.h>
#include <sys/xattr.h>

#include "base/temp_tree.hpp"

namespace tmm {
namespace {

class ExceptionsTest : public testing::Test {
protected:
    void SetUp() override {
        tree_.dir("app.scope");
        if (!set_exception(cgroup(), Exception::never_count, true))
            GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    }
    RootDir cgroup() { return tree_.root().subdir("app.scope").value(); }

    TempTree tree_;
};

TEST_F(ExceptionsTest, AreSetAndTakenBackEachByItself) {
    EXPECT_TRUE(has_exception(cgroup(), Exception::never_count));
    EXPECT_FALSE(has_exception(cgroup(), Exception::never_freeze));
    ASSERT_TRUE(set_exception(cgroup(), Exception::never_freeze, true));
    ASSERT_TRUE(set_exception(cgroup(), Exception::never_count, false));
    EXPECT_FALSE(has_exception(cgroup(), Exception::never_count));
    EXPECT_TRUE(has_exception(cgroup(), Exception::never_freeze));
    EXPECT_TRUE(set_exception(cgroup(), Exception::never_count, false)) << "there is none to take back";
}

TEST_F(ExceptionsTest, OnlyTheExactWordCounts) {
    for (const std::string word : {"neve", "never!", "NEVER", ""}) {
        ASSERT_EQ(::fsetxattr(cgroup().fd(), "user.tmm.count", word.data(), word.size(), 0), 0);
        EXPECT_FALSE(has_exception(cgroup(), Exception::never_count)) << word;
    }
}

}  // namespace
}  // namespace tmm
