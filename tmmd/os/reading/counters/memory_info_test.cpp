// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/memory_info.hpp"

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

TEST(MemoryInfo, AddsWhatTheKernelKeepsOfEachZone) {
    TempTree tree;
    tree.file("proc/zoneinfo",
              "Node 0, zone      DMA\n  per-node stats\n      nr_inactive_anon 7\n  pages free     3840\n        boost    0\n"
              "        min      3\n        low      6\n        high     9\n        managed  3840\n"
              "        protection: (0, 1800, 16000, 16000)\n  pagesets\n    cpu: 0\n              count:    0\n"
              "              high:     500\n"
              "Node 0, zone   Normal\n  pages free     90000\n        high     200\n        managed  4000000\n"
              "        protection: (0, 0, 0, 0)\n"
              "Node 0, zone  Movable\n  pages free     0\n        high     32\n        managed  0\n"
              "        protection: (0, 0, 0, 0)\n");
    EXPECT_EQ(read_kept_pages(tree.root()).value(), core::Pages(3840 + 200)) << "no zone keeps more than it has";
    tree.file("proc/zoneinfo", "nothing\n");
    EXPECT_EQ(read_kept_pages(tree.root()).value(), core::Pages(0));
    tree.file("proc/zoneinfo",
              "Node 0, zone DMA\n high 18446744073709551615\n managed 18446744073709551615\n protection: (-1, x)\n");
    EXPECT_TRUE(read_kept_pages(tree.root()).has_value());
}

TEST(MemoryInfo, ErrorNamesTheFile) {
    TempTree tree;
    tree.file("proc/meminfo", "nothing\n");
    EXPECT_EQ(read_installed_pages(tree.root()).error().message(),
              (tree.path() / "proc/meminfo").string() + ": no line MemTotal");
}

}  // namespace
}  // namespace tmm::os
