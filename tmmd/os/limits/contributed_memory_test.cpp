// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/limits/contributed_memory.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/temp_tree.hpp"
#include "tmmd/os/cgroup/test_cgroups.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {
namespace {

const std::string marked = top + "user.slice/marked";

std::string pages(int number) {
    return std::to_string(number * page_bytes().count()) + "\n";
}

TEST(ContributedMemory, AddsUpTheSwappedPagesOfContributions) {
    TempTree tree;
    tree.file(slice + "/memory.swap.current", pages(30));
    tree.file(marked + "/memory.swap.current", pages(12));
    tree.file("sys/fs/cgroup/user.slice/memory.swap.current", pages(500));
    EXPECT_EQ(read_contributed_swap(tree.root(), {slice, marked}), core::Pages(42));
}

TEST(ContributedMemory, LeavesOutACgroupThatHasVanishedOrTellsNothing) {
    TempTree tree;
    tree.file(slice + "/memory.swap.current", pages(30));
    tree.file(marked + "/memory.swap.current", "");
    EXPECT_EQ(read_contributed_swap(tree.root(), {slice, marked, "sys/fs/cgroup/gone"}), core::Pages(30));
    EXPECT_EQ(read_contributed_swap(tree.root(), {}), core::Pages(0));
}

}  // namespace
}  // namespace tmm::os
