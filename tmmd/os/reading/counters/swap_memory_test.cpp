// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/swap_memory.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {
namespace {

constexpr const char* header = "Filename Type Size Used Priority\n";

class SwapMemoryTest : public testing::Test {
protected:
    void swaps(const std::string& areas) { tree_.file("proc/swaps", header + areas); }
    void zswap(const std::string& enabled, const std::string& size) {
        tree_.file("sys/module/zswap/parameters/enabled", enabled + "\n");
        tree_.file("proc/meminfo", "MemTotal: 100000 kB\nZswap: " + size + " kB\nZswapped: 9999 kB\n");
    }
    void expect_bytes(std::uint64_t bytes) {
        EXPECT_EQ(memory_.read().value().taken, core::to_pages(Bytes(bytes), page_bytes()));
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    SwapMemory memory_{root_};
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
    zswap("Y", "4096");
    tree_.file("sys/block/zram0/mm_stat", " 40960000  9000000 10485760        0 11000000  7 0 2 2\n");
    tree_.file("sys/block/zram10/mm_stat", "0 0 1048576 0 0 0 0 0 0\n");
    tree_.file("sys/block/zram1/mm_stat", "7 7 7777777 0 0 0 0 0 0\n");  // a file system
    expect_bytes((4 << 20) + 10485760 + 1048576);
    EXPECT_EQ(memory_.read().value().stored, core::to_pages(Bytes(40960000 + (9999 << 10)), page_bytes()));
}

// LXCFS shows a container's swap so.
TEST_F(SwapMemoryTest, AnAreaOfUnknownTypeIsNotInMemory) {
    tree_.file("proc/meminfo", "MemTotal: 100000 kB\n");
    swaps("none                                    virtual\t\t2097152\t0\t0\n");
    expect_bytes(0);
    EXPECT_FALSE(memory_.read().value().is_all);
}

TEST_F(SwapMemoryTest, ADiskBesideItIsTold) {
    tree_.file("proc/meminfo", "MemTotal: 100000 kB\n").file("sys/block/zram0/mm_stat", "0 0 1048576 0 0 0 0 0 0\n");
    swaps("/dev/zram0 partition 1048576 5000 100\n");
    EXPECT_TRUE(memory_.read().value().is_all);
    swaps("/dev/zram0 partition 1048576 5000 100\n/swapfile file 1048576 0 -2\n");
    EXPECT_FALSE(memory_.read().value().is_all);
}

TEST_F(SwapMemoryTest, WhatChangesIsSeen) {
    swaps("/dev/zram0 partition 1048576 5000 100\n");
    tree_.file("sys/block/zram0/mm_stat", "0 0 1048576 0 0 0 0 0 0\n");
    expect_bytes(1 << 20);
    tree_.file("sys/block/zram0/mm_stat", "0 0 2097152 0 0 0 0 0 0\n");
    expect_bytes(2 << 20);
    swaps("");
    expect_bytes(0);
}

TEST_F(SwapMemoryTest, ZswapThatIsOffCountsUntilItIsEmpty) {
    swaps("/dev/vda2 partition 1048576 5000 -2\n");
    zswap("N", "4096");
    expect_bytes(4 << 20);
    zswap("N", "1024");
    expect_bytes(1 << 20);
    zswap("N", "0");
    expect_bytes(0);
    zswap("N", "is not read any more");
    expect_bytes(0);
    zswap("Y", "1024");
    expect_bytes(1 << 20);
    zswap("N", "512");
    expect_bytes(512 << 10);
}

TEST_F(SwapMemoryTest, AKernelWithoutZswapIsNotAsked) {
    swaps("/dev/vda2 partition 1048576 5000 -2\n");
    tree_.file("proc/meminfo", "MemTotal: 100000 kB\nZswap: is not read\n");
    expect_bytes(0);
}

TEST_F(SwapMemoryTest, WhatMakesNoSenseIsNamed) {
    swaps("/dev/zram0 partition 1048576 5000 100\n");
    tree_.file("sys/module/zswap/parameters/enabled", "Y\n");
    EXPECT_NE(memory_.read().error().message().find("proc/meminfo"), std::string::npos);
    tree_.file("proc/meminfo", "MemTotal: 100000 kB\nZswap: many\n");
    EXPECT_NE(memory_.read().error().message().find("proc/meminfo: Zswap"), std::string::npos);
    tree_.file("proc/meminfo", "MemTotal: 100000 kB\n");
    EXPECT_NE(memory_.read().error().message().find("zram0/mm_stat"), std::string::npos);
    for (const char* const text : {"1 2\n", "many 2 3\n"}) {
        tree_.file("sys/block/zram0/mm_stat", text);
        EXPECT_NE(memory_.read().error().message().find("zram0/mm_stat"), std::string::npos);
    }
}

}  // namespace
}  // namespace tmm::os
