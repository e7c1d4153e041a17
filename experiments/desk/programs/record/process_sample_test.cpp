// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "process_sample.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "base/temp_tree.hpp"

namespace tmm::desk {
namespace {

constexpr const char* stat = "7 (a ) (b) S 1 7 7 0 -1 4194560 100 0 5 0 120 30 9 9 20 0 1 0 8 0 0\n";
constexpr const char* io = "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 8192\nwrite_bytes: 0\ncancelled_write_bytes: 0\n";

TEST(ProcessSample, CpuTimeIsUserAndSystem) {
    EXPECT_EQ(*parse_stat_cpu_ticks(stat), 150U);
    for (const char* bad : {"", "7 (a", "7 (a) S 1 2", "7 (a) S 1 7 7 0 -1 4194560 100 0 5 0 120 x 9"})
        EXPECT_FALSE(parse_stat_cpu_ticks(bad)) << bad;
}

TEST(ProcessSample, ReadBytesAreFoundByName) {
    EXPECT_EQ(*parse_io_read_bytes(io), 8192U);
    for (const char* bad : {"", "rchar: 1\n", "read_bytes", "read_bytes: x\n", "cancelled_read_bytes: 1\n"})
        EXPECT_FALSE(parse_io_read_bytes(bad)) << bad;
}

TEST(ProcessSample, ACgroupCountsWithAllBelowItAndWithoutWhoHasEnded) {
    TempTree tree;
    tree.file("sys/fs/cgroup/owner/cgroup.procs", "")
        .file("sys/fs/cgroup/owner/app/cgroup.procs", "7\n8\n")
        .file("sys/fs/cgroup/owner/desktop/cgroup.procs", "9\n")
        .file("proc/7/io", io)
        .file("proc/9/io", "read_bytes: 1\n");
    const auto counters = read_bytes_of_cgroup(tree.root(), "owner");
    ASSERT_TRUE(counters) << counters.error().message();
    EXPECT_EQ(*counters, (std::map<Pid, std::uint64_t>{{7, 8192}, {9, 1}}));
}

TEST(ProcessSample, NamesWhatIsWrongInACgroup) {
    TempTree tree;
    EXPECT_NE(read_bytes_of_cgroup(tree.root(), "gone").error().message().find("gone/cgroup.procs"), std::string::npos);
    tree.file("sys/fs/cgroup/owner/cgroup.procs", "7\n").file("proc/7/io", "rchar: 1\n");
    EXPECT_NE(read_bytes_of_cgroup(tree.root(), "owner").error().message().find("proc/7/io: has no 'read_bytes'"),
              std::string::npos);
    tree.file("sys/fs/cgroup/owner/cgroup.procs", "seven\n");
    EXPECT_FALSE(read_bytes_of_cgroup(tree.root(), "owner"));
}

TEST(GrowthSum, NeverFallsWhenProcessesEnd) {
    GrowthSum sum;
    EXPECT_EQ(sum.update({{1, 10}, {2, 5}}), 15U);
    EXPECT_EQ(sum.update({{1, 12}}), 17U);
    EXPECT_EQ(sum.update({}), 17U);
    EXPECT_EQ(sum.update({{3, 4}}), 21U);
    EXPECT_EQ(sum.update({{3, 1}}), 22U) << "another process with the same number";
}

TEST(ProcessSample, ReadsADaemon) {
    TempTree tree;
    tree.file("proc/7/stat", stat).file("proc/7/status", "Name:\ta\nVmHWM:\t    2000 kB\nVmRSS:\t    1000 kB\n");
    const auto sample = read_daemon(tree.root(), 7);
    ASSERT_TRUE(sample) << sample.error().message();
    EXPECT_EQ(sample->cpu_us, 150 * 1000000U / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK)));
    EXPECT_EQ(sample->rss_bytes, 1024000U);
    EXPECT_EQ(sample->peak_bytes, 2048000U);
    EXPECT_FALSE(read_daemon(tree.root(), 8));
    tree.file("proc/7/status", "Name:\ta\n");
    EXPECT_NE(read_daemon(tree.root(), 7).error().message().find("proc/7/status: no line VmRSS"), std::string::npos);
}

TEST(ProcessSample, TheHeaderNamesAsManyColumnsAsARowHas) {
    const auto commas = [](const std::string& text) { return std::count(text.begin(), text.end(), ','); };
    EXPECT_EQ(commas(daemon_header()), commas(daemon_row({})));
}

}  // namespace
}  // namespace tmm::desk
