// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/page_cgroups.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

TEST(PageCgroupsTest, TellsTheCgroupOfEachFrame) {
    std::vector<std::uint64_t> words(1000, 0);
    words[3] = 71;
    words[500] = words[501] = 72;
    words[999] = 73;
    TempTree tree;
    tree.file("proc/kpagecgroup", std::string(reinterpret_cast<const char*>(words.data()), words.size() * sizeof words[0]));
    const auto cgroups = PageCgroups::open(tree.root());
    ASSERT_TRUE(cgroups) << cgroups.error().message();
    const auto found = cgroups->look_up(std::vector<std::uint64_t>{3, 7, 500, 501, 999, 1000, 999'999});
    ASSERT_TRUE(found) << found.error().message();
    EXPECT_EQ(*found,
              (std::vector<core::CgroupId>{71, core::unknown_cgroup, 72, 72, 73, core::unknown_cgroup, core::unknown_cgroup}));
    EXPECT_TRUE(cgroups->look_up({})->empty());
}

TEST(PageCgroupsTest, NamesAMissingFile) {
    TempTree tree;
    const auto cgroups = PageCgroups::open(tree.root());
    ASSERT_FALSE(cgroups);
    EXPECT_EQ(cgroups.error().code(), ENOENT);
    EXPECT_NE(cgroups.error().message().find("proc/kpagecgroup"), std::string::npos);
}

}  // namespace
}  // namespace tmm::os
