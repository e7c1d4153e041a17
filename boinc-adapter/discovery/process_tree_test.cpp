// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/discovery/process_tree.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/temp_tree.hpp"
#include "boinc-adapter/discovery/fake_processes.hpp"

namespace tmm::boinc {
namespace {

// A task in slot 3, with a child that has a child of its own.
class TreeTest : public testing::Test {
protected:
    TreeTest() {
        add(100, "boinc", 1, 0, 0);
        add(200, "wrapper (1) x", 100, 1000, 0);
        add(201, "science", 200, 5000, 300);
        add(202, "helper", 201, 10, 0);
        tree.file("proc/200/task/200/children", "201 ");
        tree.file("proc/201/task/201/children", "");
        tree.file("proc/201/task/209/children", "202 999 ");  // a thread forked it; 999 has ended
        tree.dir("var/lib/boinc/slots/3");
        link("/var/lib/boinc/slots/3");
        tree.file("proc/200/cgroup", "0::/system.slice/boinc-client.service\n");
    }

    void add(pid_t pid, const std::string& name, pid_t parent, int resident_kib, int swap_kib) {
        put_process(tree, {pid, resident_kib, swap_kib, parent, name});
        tree.file("proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children", "");
    }
    void link(const std::string& target) { put_directory(tree, 200, target); }
    [[nodiscard]] std::optional<TaskTree> measure(int slot = 3) const { return measure_task(tree.root(), 200, slot); }

    TempTree tree;
};

TEST_F(TreeTest, CountsMemoryAndSwapOfAllDescendants) {
    const auto measured = measure();
    ASSERT_TRUE(measured);
    EXPECT_EQ(measured->resident_bytes, (1000 + 5000 + 10) * 1024U);
    EXPECT_EQ(measured->swap_bytes, 300 * 1024U);
    EXPECT_EQ(measured->nr_processes, 3);
    EXPECT_FALSE(measured->is_transparent);
}

TEST_F(TreeTest, CountsTheProcessorsTimeOfAllDescendants) {
    const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    EXPECT_DOUBLE_EQ(measure()->processor.count(), 3 * (5 + 6) / ticks);
}

TEST_F(TreeTest, AProcessElsewhereIsNoTaskThoughItHasTheNumber) {
    link("/home/owner");
    EXPECT_FALSE(measure());
    link("/var/lib/boinc/slots/33");
    EXPECT_FALSE(measure());
    link("/var/lib/boinc/slots/3");
    EXPECT_FALSE(measure(4));
}

// As the service sees it, whose user is not the client's.
TEST(TaskProcess, WhoseDirectoryIsHiddenIsATaskIfItsParentIsAClient) {
    for (const int code : {EACCES, EPERM}) {
        const Result<std::string> hidden = Error(code, "cwd");
        EXPECT_TRUE(is_task_process(hidden, 3, "boinc"));
        EXPECT_TRUE(is_task_process(hidden, 3, "boinc_client"));
        EXPECT_FALSE(is_task_process(hidden, 3, "bash")) << "another program has got the number";
        EXPECT_FALSE(is_task_process(hidden, 3, "")) << "its parent has ended";
    }
    EXPECT_FALSE(is_task_process(Error(ENOENT, "cwd"), 3, "boinc")) << "it has ended";
    EXPECT_TRUE(is_task_process(std::string("/srv/slots/3"), 3, "wrapper"));
    EXPECT_FALSE(is_task_process(std::string("/srv/slots/4"), 3, "boinc")) << "where it works tells more";
}

TEST_F(TreeTest, TellsWhenTheProcessBeganSoThatANewOneWithItsNumberIsKnown) {
    EXPECT_EQ(measure()->start_ticks, 500U);
    tree.file("proc/200/stat", stat_text(200, "wrapper", 100, 777));
    EXPECT_EQ(measure()->start_ticks, 777U);
}

TEST_F(TreeTest, AProcessThatEndedIsNoTask) {
    std::filesystem::remove_all(tree.path() / "proc/200");
    EXPECT_FALSE(measure());
    EXPECT_FALSE(measure_task(tree.root(), 0, 3));
    EXPECT_FALSE(measure_task(tree.root(), 200, -1));
}

TEST_F(TreeTest, KnowsTheSliceOfContributions) {
    tree.file("proc/200/cgroup", "0::/transparent.slice/boinc-client.service\n");
    EXPECT_TRUE(measure()->is_transparent);
    EXPECT_TRUE(is_below_transparent_slice(tree.root(), 200));
    EXPECT_FALSE(is_below_transparent_slice(tree.root(), 201)) << "nobody knows";
    tree.file("proc/200/cgroup", "0::/system.slice/my-transparent.slice.service\n");
    EXPECT_FALSE(measure()->is_transparent);
}

TEST(ProcessStat, ParsesANameWithBlanksAndParentheses) {
    const std::string text = stat_text(7, "a) b (c", 42, 123);
    const auto parsed = parse_process_stat(text);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->name, "a) b (c");
    EXPECT_EQ(parsed->parent, 42);
    EXPECT_EQ(parsed->start_ticks, 123U);
}

TEST(ProcessStat, IsAnErrorForOtherText) {
    const std::string whole = stat_text(7, "a", 42);
    for (const std::string& text :
         {std::string(), std::string("7"), std::string(") ("), whole.substr(0, 40), std::string("7 (a) S x")})
        EXPECT_EQ(parse_process_stat(text).error().code(), EINVAL) << text;
}

TEST(OutOfReach, AreDockerAndVirtualBox) {
    EXPECT_TRUE(is_out_of_reach("vbox64_mt"));
    EXPECT_TRUE(is_out_of_reach("docker"));
    EXPECT_FALSE(is_out_of_reach("mt"));
    EXPECT_FALSE(is_out_of_reach(""));
}

}  // namespace
}  // namespace tmm::boinc
