// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/swap_memory.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {
namespace {

constexpr const char* header = "Filename Type Size Used Priority\n";

class SwapMemoryTest : public testing::Test {
protected:
    void swaps(const std::string& areas) { tree_.file("proc/swaps", header + areas); }
    void expect_bytes(std::uint64_t bytes) { EXPECT_EQ(read_swap_in_memory(tree_.root()).value(), bytes / page_bytes()); }

    TempTree tree_;
};

TEST_F(SwapMemoryTest, WithoutSwapThereIsNone) {
    expect_bytes(0);
    swaps("");
    expect_bytes(0);
}

TEST_F(SwapMemoryTest, OnADiskItTakesNone) {
    swaps("/dev/vda2 partition 1048576 5000 -2\n/zram0 file 10 0 -3\n");
    tree_.file("proc/meminfo", "MemTotal: 100000 kB\n");
    expect_bytes(0);
}

TEST_F(SwapMemoryTest, ZramAndZswapKeepItInMemory) {
    swaps("/dev/zram0 partition 1048576 5000 100\n/dev/zram10 partition 1 0 5\n/dev/vda2 partition 1048576 5000 -2\n");
    tree_.file("proc/meminfo", "MemTotal: 100000 kB\nZswap: 4096 kB\nZswapped: 9999 kB\n");
    tree_.file("sys/block/zram0/mm_stat", " 40960000  9000000 10485760        0 11000000  7 0 2 2\n");
    tree_.file("sys/block/zram10/mm_stat", "0 0 1048576 0 0 0 0 0 0\n");
    tree_.file("sys/block/zram1/mm_stat", "7 7 7777777 0 0 0 0 0 0\n");  // a file system
    expect_bytes((4 << 20) + 10485760 + 1048576);
}

TEST_F(SwapMemoryTest, WhatMakesNoSenseIsNamed) {
    swaps("/dev/zram0 partition 1048576 5000 100\n");
    EXPECT_NE(read_swap_in_memory(tree_.root()).error().message().find("proc/meminfo"), std::string::npos);
    tree_.file("proc/meminfo", "MemTotal: 100000 kB\nZswap: many\n");
    EXPECT_NE(read_swap_in_memory(tree_.root()).error().message().find("proc/meminfo: Zswap"), std::string::npos);
    tree_.file("proc/meminfo", "MemTotal: 100000 kB\n");
    EXPECT_NE(read_swap_in_memory(tree_.root()).error().message().find("zram0/mm_stat"), std::string::npos);
    tree_.file("sys/block/zram0/mm_stat", "1 2\n");
    EXPECT_NE(read_swap_in_memory(tree_.root()).error().message().find("zram0/mm_stat"), std::string::npos);
}

}  // namespace
}  // namespace tmm::os
