// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/process/process_info.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/temp_tree.hpp"

namespace tmm {
namespace {

constexpr const char* status_text =
    "Name:\tcat\nState:\tS (sleeping)\nTgid:\t12\nUid:\t1000\t1001\t1002\t1003\nVmRSS:\t    1404 kB\n";

TEST(ParseStat, ReadsNamesWithBlanksAndParentheses) {
    const auto stat = parse_stat("12 (a) b (c)) S 1 12 12 0 -1 4194304 97 0\n");
    ASSERT_TRUE(stat) << stat.error().message();
    EXPECT_EQ(stat->comm, "a) b (c)");
    EXPECT_EQ(stat->state, 'S');
    EXPECT_FALSE(stat->is_zombie());
    EXPECT_FALSE(stat->is_kernel_thread());
}

TEST(ParseStat, KnowsZombiesAndKernelThreads) {
    EXPECT_TRUE(parse_stat("12 (x) Z 1 12 12 0 -1 4227084 0")->is_zombie());
    EXPECT_TRUE(parse_stat("2 (kthreadd) S 0 0 0 0 -1 2129984 0")->is_kernel_thread());
}

TEST(ParseStat, RefusesOtherText) {
    for (const char* text :
         {"", "12", "12 (cat", "12 cat) S", ")(", "12 (cat)", "12 (cat) S 1 12 12 0 -1", "12 (cat) SS 1 12 12 0 -1 5",
          "12 (cat) S 1 12 12 0 -1 99999999999999999999999", "12 (cat) S 1 12 12 0 -1 -5"})
        EXPECT_FALSE(parse_stat(text)) << text;
}

TEST(ParseStatus, ReadsEffectiveUserAndMemory) {
    const auto status = parse_status(status_text);
    ASSERT_TRUE(status) << status.error().message();
    EXPECT_EQ(status->tgid, 12);
    EXPECT_EQ(status->uid, 1001U);
    EXPECT_EQ(status->resident_bytes, 1404U * 1024);
}

TEST(ParseStatus, ZombiesHaveNoMemory) {
    EXPECT_EQ(parse_status("Tgid:\t12\nUid:\t0\t0\t0\t0\n")->resident_bytes, 0U);
}

TEST(ParseStatus, RefusesOtherText) {
    for (const char* text :
         {"", "Tgid:\t12\n", "Uid:\t0\t0\t0\t0\n", "Tgid:\t12\nUid:\t0", "Tgid:\tx\nUid:\t0\t0\t0\t0\n",
          "Tgid:\t12\nUid:\t0\t4294967296\t0\t0\n", "Tgid:\t2147483648\nUid:\t0\t0\t0\t0\n",
          "Tgid:\t12\nUid:\t0\t0\t0\t0\nVmRSS:\t99999999999999999999999 kB\n", "Tgid:\t12\nUid:\t0\t0\t0\t0\nVmRSS:\tmuch\n"})
        EXPECT_FALSE(parse_status(text)) << text;
}

TEST(ParseCgroup, TakesTheLineOfVersion2) {
    EXPECT_EQ(*parse_cgroup("4:memory:/old\n0::/user.slice/a:b c\n"), "/user.slice/a:b c");
    EXPECT_EQ(*parse_cgroup("0::/"), "/");
}

TEST(ParseCgroup, IsMissingOnVersion1) {
    for (const char* text : {"", "4:memory:/old\n", "0::", "0::relative\n", "10::/x"}) {
        const auto path = parse_cgroup(text);
        ASSERT_FALSE(path) << text;
        EXPECT_EQ(path.error().code(), ENOENT);
    }
}

TEST(ReadProcess, JoinsTheThreeFiles) {
    TempTree tree;
    tree.file("proc/12/stat", "12 (cat) S 1 12 12 0 -1 4194304 97\n")
        .file("proc/12/status", status_text)
        .file("proc/12/cgroup", "0::/a\n");
    const auto info = read_process(tree.root(), "12");
    ASSERT_TRUE(info) << info.error().message();
    EXPECT_EQ(info->stat.comm, "cat");
    EXPECT_EQ(info->status.uid, 1001U);
    EXPECT_EQ(info->cgroup, "/a");
}

TEST(ReadProcess, SaysWhichProcess) {
    TempTree tree;
    tree.file("proc/13/stat", "13 (cat) S 1 12 12 0 -1 4194304 97\n").file("proc/13/status", "Tgid:\t1");
    const auto missing = read_process(tree.root(), "12");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code(), ENOENT);
    const auto torn = read_process(tree.root(), "13");
    ASSERT_FALSE(torn);
    EXPECT_NE(torn.error().message().find("process 13"), std::string::npos);
}

}  // namespace
}  // namespace tmm
