// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/opaque_activity.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <limits>

#include "base/temp_tree.hpp"
#include "tmmd/os/cgroup/test_cgroups.hpp"

namespace tmm::os {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

const std::string user_slice = "sys/fs/cgroup/user.slice/transparent.slice";

void set_cpu(TempTree& tree, const std::string& cgroup, std::uint64_t us) {
    tree.file(cgroup + "/cpu.stat", "usage_usec " + std::to_string(us) + "\nuser_usec 1\nsystem_usec 2\n");
}

TEST(ParseCpuTime, SumsWhatIsWork) {
    // user nice system idle iowait irq softirq steal guest guest_nice
    EXPECT_EQ(parse_cpu_time_us("cpu  1 20 300 7 7 4000 50000 9 9 9\ncpu0 1 1 1 1 1 1 1 1 1 1\n", 100).value(), 543210000U);
    EXPECT_EQ(parse_cpu_time_us("cpu 1 1 1 0 0 0 0", 1024).value(), 2929U) << "1024 ticks a second, no line end";
}

TEST(ParseCpuTime, MalformedTextIsAnError) {
    for (const char* bad : {"", "\n", "cpu", "cpu\n", "cpu  1 2 3 4 5 6\n", "cpu0 1 2 3 4 5 6 7 8\n", "intr 1 2 3 4 5 6 7 8\n",
                            "cpu  1 2 3 x 5 6 7 8\n", "cpu  1 2 3 -4 5 6 7 8\n", "\ncpu  1 2 3 4 5 6 7 8\n"}) {
        const auto time = parse_cpu_time_us(bad, 100);
        ASSERT_FALSE(time) << bad;
        EXPECT_TRUE(time.error().message().starts_with("line 1: ")) << time.error().message();
    }
}

TEST(ParseCpuTime, OverflowIsAnError) {
    EXPECT_FALSE(parse_cpu_time_us("cpu 99999999999999999999 0 0 0 0 0 0 0", 100));
    EXPECT_EQ(parse_cpu_time_us("cpu 18446744073709551615 1 0 0 0 0 0 0", 100).error().code(), ERANGE) << "the sum";
    EXPECT_EQ(parse_cpu_time_us("cpu 18446744073709551615 0 0 0 0 0 0 0", 100).error().code(), ERANGE) << "the time";
    EXPECT_EQ(parse_cpu_time_us("cpu 1844674407370955 0 0 18446744073709551615 0 0 0 0", 100).value(), 18446744073709550000U);
    EXPECT_EQ(parse_cpu_time_us("cpu 1844674407370956 0 0 0 0 0 0 0", 100).error().code(), ERANGE);
}

TEST(OpaqueCpu, IsTheMachinesLessTheTransparentCgroups) {
    TempTree tree;
    const RootDir root = tree.root();
    set_cpu(tree, "sys/fs/cgroup", 1'000'000);
    set_cpu(tree, slice, 300'000);
    OpaqueCpu cpu(root);
    EXPECT_EQ(cpu.read_delta({slice}).value(), microseconds(0)) << "the first call only sets the base";
    set_cpu(tree, "sys/fs/cgroup", 2'000'000);
    set_cpu(tree, slice, 700'000);
    set_cpu(tree, user_slice, 250'000);
    EXPECT_EQ(cpu.read_delta({slice, user_slice}).value(), milliseconds(350));
    EXPECT_EQ(cpu.read_delta({slice, user_slice}).value(), milliseconds(0));
}

TEST(OpaqueCpu, CgroupsComeAndGo) {
    TempTree tree;
    const RootDir root = tree.root();
    set_cpu(tree, "sys/fs/cgroup", 1'000'000);
    set_cpu(tree, slice, 300'000);
    OpaqueCpu cpu(root);
    ASSERT_TRUE(cpu.read_delta({slice}));
    std::filesystem::remove_all(tree.path() / slice);
    set_cpu(tree, "sys/fs/cgroup", 1'100'000);
    EXPECT_EQ(cpu.read_delta({slice}).value(), milliseconds(100)) << "vanished while its path is still given";
    set_cpu(tree, "sys/fs/cgroup", 1'200'000);
    set_cpu(tree, slice, 20'000);
    EXPECT_EQ(cpu.read_delta({slice}).value(), milliseconds(80)) << "made again under the same name";
    set_cpu(tree, "sys/fs/cgroup", 1'300'000);
    tree.file(slice + "/cpu.stat", "nonsense\n");
    EXPECT_EQ(cpu.read_delta({slice}).value(), milliseconds(100));
    EXPECT_EQ(cpu.read_delta({}).value(), milliseconds(0));
}

TEST(OpaqueCpu, WithoutTheRootCgroupsCountTakesProcStat) {
    TempTree tree;
    const RootDir root = tree.root();
    const std::uint64_t us_per_tick = 1'000'000 / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
    tree.file("proc/stat", "cpu  10 10 10 999 999 0 0 0 0 0\nintr 5\n");
    set_cpu(tree, slice, 0);
    OpaqueCpu cpu(root);
    EXPECT_EQ(cpu.read_delta({slice}).value(), microseconds(0));
    tree.file("proc/stat", "cpu  20 20 20 9999 9999 0 0 0 0 0\nintr 5\n");
    set_cpu(tree, slice, 10 * us_per_tick);
    EXPECT_EQ(cpu.read_delta({slice}).value(), microseconds(20 * us_per_tick));
}

TEST(OpaqueCpu, ErrorNamesTheFile) {
    TempTree tree;
    const RootDir root = tree.root();
    OpaqueCpu without_any(root);
    EXPECT_EQ(without_any.read_delta({}).error().code(), ENOENT);
    tree.file("proc/stat", "cpu 1\n");
    EXPECT_TRUE(without_any.read_delta({}).error().message().starts_with((tree.path() / "proc/stat").string() + ": line 1: "));
    tree.file("sys/fs/cgroup/cpu.stat", "usage_usec many\n");
    EXPECT_TRUE(OpaqueCpu(root).read_delta({}).error().message().starts_with(
        (tree.path() / "sys/fs/cgroup/cpu.stat: usage_usec: ").string()));
}

TEST(OpaqueCpu, AnAbsurdTimeIsTheLongestThereIs) {
    TempTree tree;
    const RootDir root = tree.root();
    set_cpu(tree, "sys/fs/cgroup", 0);
    OpaqueCpu cpu(root);
    ASSERT_TRUE(cpu.read_delta({}));
    set_cpu(tree, "sys/fs/cgroup", std::numeric_limits<std::uint64_t>::max());
    EXPECT_GT(cpu.read_delta({}).value(), std::chrono::hours(24) * 365 * 290);
}

void set_refaults(TempTree& tree, const std::string& file, int anonymous, int of_files) {
    tree.file(file, "workingset_nodes 7\nworkingset_refault_anon " + std::to_string(anonymous) + "\nworkingset_refault_file " +
                        std::to_string(of_files) + "\npgmajfault 3\n");
}

TEST(OpaqueRefaults, AreTheMachinesLessTheTransparentCgroups) {
    TempTree tree;
    const RootDir root = tree.root();
    OpaqueRefaults refaults(root);
    set_refaults(tree, "proc/vmstat", 100, 1000);
    set_refaults(tree, slice + "/memory.stat", 10, 20);
    const auto first = refaults.read_delta({slice}).value();
    EXPECT_EQ(first.anonymous, 0U);
    EXPECT_EQ(first.file, 0U);
    set_refaults(tree, "proc/vmstat", 150, 1200);
    set_refaults(tree, slice + "/memory.stat", 40, 220);
    const auto second = refaults.read_delta({slice}).value();
    EXPECT_EQ(second.anonymous, 20U);
    EXPECT_EQ(second.file, 0U);
}

TEST(OpaqueRefaults, ACgroupWithoutMemoryControllerTakesNothing) {
    TempTree tree;
    const RootDir root = tree.root();
    OpaqueRefaults refaults(root);
    set_refaults(tree, "proc/vmstat", 100, 1000);
    ASSERT_TRUE(refaults.read_delta({slice}));
    set_refaults(tree, "proc/vmstat", 101, 1002);
    tree.file(slice + "/memory.stat", "workingset_refault_anon 1\n");
    const auto found = refaults.read_delta({slice}).value();
    EXPECT_EQ(found.anonymous, 1U);
    EXPECT_EQ(found.file, 2U);
}

TEST(OpaqueRefaults, AKernelThatDoesNotTellThemApartIsAnError) {
    TempTree tree;
    const RootDir root = tree.root();
    OpaqueRefaults refaults(root);
    EXPECT_EQ(refaults.read_delta({}).error().code(), ENOENT);
    tree.file("proc/vmstat", "workingset_refault 5\n");
    EXPECT_EQ(refaults.read_delta({}).error().message(),
              (tree.path() / "proc/vmstat").string() + ": no line workingset_refault_anon");
}

}  // namespace
}  // namespace tmm::os
