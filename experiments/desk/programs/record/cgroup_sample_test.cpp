// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/temp_tree.hpp"

namespace tmm::desk {
namespace {

constexpr const char* memory_stat =
    "anon 4096\nfile 8192\nkernel 1\nswapcached 2048\nworkingset_refault_anon 5\nworkingset_refault_file 6\npgfault "
    "99\npgmajfault 7\n";
constexpr const char* pressure =
    "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=56\n";

// The files of a class and of the machine as a kernel has them.
void fill(TempTree& tree) {
    tree.file("sys/fs/cgroup/owner/memory.stat", memory_stat)
        .file("sys/fs/cgroup/owner/memory.current", "20480\n")
        .file("sys/fs/cgroup/owner/memory.swap.current", "12288\n")
        .file("sys/fs/cgroup/owner/memory.pressure", pressure)
        .file("sys/fs/cgroup/owner/cpu.stat", "usage_usec 90\nuser_usec 77\nsystem_usec 13\n")
        .file("proc/vmstat", "nr_free_pages 10\npswpin 1\npswpout 2\npgmajfault 3\n")
        .file("proc/meminfo", "MemTotal:  500 kB\nMemFree:      200 kB\nHugePages_Total:   0\n");
}

TEST(CgroupSample, ReadsAClass) {
    TempTree tree;
    fill(tree);
    const auto sample = read_class(tree.root(), "owner");
    ASSERT_TRUE(sample) << sample.error().message();
    EXPECT_EQ(class_row(*sample), "7,5,6,20480,12288,2048,4096,8192,1234,90,77");
}

TEST(CgroupSample, AFootprintCountsAPageOnce) {
    ClassSample sample;
    sample.current_bytes = 20480;
    sample.swap_bytes = 12288;
    sample.swapcached_bytes = 4096;
    EXPECT_EQ(footprint_bytes(sample), 28672U);
    sample.swapcached_bytes = 40960;
    EXPECT_EQ(footprint_bytes(sample), 0U);
}

TEST(CgroupSample, ReadsTheMachine) {
    TempTree tree;
    fill(tree);
    const auto sample = read_machine(tree.root());
    ASSERT_TRUE(sample) << sample.error().message();
    EXPECT_EQ(machine_row(*sample), "204800,1,2,3");
}

TEST(CgroupSample, HeadersNameAsManyColumnsAsRowsHave) {
    const auto commas = [](const std::string& text) { return std::count(text.begin(), text.end(), ','); };
    EXPECT_EQ(commas(class_header("owner")), commas(class_row({})));
    EXPECT_EQ(commas(machine_header()), commas(machine_row({})));
    EXPECT_TRUE(class_header("owner").starts_with("owner_pgmajfault,owner_refault_anon,"));
}

TEST(CgroupSample, NamesTheFileAndWhatItLacks) {
    TempTree tree;
    fill(tree);
    EXPECT_NE(read_class(tree.root(), "gone").error().message().find("gone/memory.stat"), std::string::npos);
    tree.file("sys/fs/cgroup/owner/memory.stat", "anon 1\nfile 2\nswapcached 0\npgmajfault 7\nworkingset_refault_anon 1\n");
    EXPECT_TRUE(
        read_class(tree.root(), "owner").error().message().ends_with("owner/memory.stat: no line workingset_refault_file"));
    fill(tree);
    tree.file("sys/fs/cgroup/owner/memory.swap.current", "max\n");
    EXPECT_NE(read_class(tree.root(), "owner").error().message().find("memory.swap.current"), std::string::npos);
    tree.file("proc/meminfo", "MemTotal: 500 kB\n");
    EXPECT_TRUE(read_machine(tree.root()).error().message().ends_with("proc/meminfo: no line MemFree"));
}

}  // namespace
}  // namespace tmm::desk
