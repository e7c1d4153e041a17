// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/counters/memory_info.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {
namespace {

TEST(MemoryInfo, ReadsMemTotal) {
    TempTree tree;
    tree.file("proc/meminfo", "MemTotal:         484128 kB\nMemFree:  100 kB\n");
    EXPECT_EQ(read_installed_pages(tree.root()).value(), core::to_pages(Bytes(484128 * 1024), page_bytes()));
}

TEST(MemoryInfo, AddsTheListsOfFiles) {
    TempTree tree;
    tree.file("proc/vmstat", "nr_inactive_anon 7\nnr_inactive_file 30\nnr_active_file 12\n");
    EXPECT_EQ(read_file_pages(tree.root()).value(), core::Pages(42));
    tree.file("proc/vmstat", "nr_inactive_file 30\n");
    EXPECT_NE(read_file_pages(tree.root()).error().message().find("proc/vmstat: no line nr_active_file"), std::string::npos);
}

TEST(MemoryInfo, ErrorNamesTheFile) {
    TempTree tree;
    tree.file("proc/meminfo", "nothing\n");
    EXPECT_EQ(read_installed_pages(tree.root()).error().message(),
              (tree.path() / "proc/meminfo").string() + ": no line MemTotal");
}

}  // namespace
}  // namespace tmm::os
