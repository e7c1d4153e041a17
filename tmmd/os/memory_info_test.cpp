// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/memory_info.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/temp_tree.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {
namespace {

TEST(MemoryInfo, ReadsMemTotal) {
    TempTree tree;
    tree.file("proc/meminfo", "MemTotal:         484128 kB\nMemFree:  100 kB\n");
    EXPECT_EQ(read_installed_pages(tree.root()).value(), 484128U * 1024 / page_bytes());
}

TEST(MemoryInfo, MalformedTextIsAnError) {
    for (const char* bad : {"", "MemFree: 1 kB\n", "NotMemTotal: 5 kB\n", "MemTotal:\n", "MemTotal: many kB\n", "MemTotal 5 kB\n",
                            "MemTotalHigh: 5 kB\n", "MemTotal: 99999999999999999999 kB\n", "MemTotal: 5 kilo", "MemTotal:"})
        EXPECT_FALSE(parse_meminfo_bytes(bad, "MemTotal")) << bad;
    EXPECT_EQ(parse_meminfo_bytes("MemFree: 1 kB\n", "Zswap").error().code(), ENOENT);
}

TEST(MemoryInfo, FindsItsLineAmongOthers) {
    EXPECT_EQ(parse_meminfo_bytes("MemTotal: 7 kB\nZswap:   5 kB\nZswapped: 9 kB\n", "Zswap").value(), 5U * 1024);
}

TEST(MemoryInfo, ErrorNamesTheFile) {
    TempTree tree;
    tree.file("proc/meminfo", "nothing\n");
    EXPECT_EQ(read_installed_pages(tree.root()).error().message(),
              (tree.path() / "proc/meminfo").string() + ": no line MemTotal");
}

}  // namespace
}  // namespace tmm::os
