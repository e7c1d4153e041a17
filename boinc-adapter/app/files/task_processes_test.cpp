// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/files/task_processes.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"
#include "boinc-adapter/discovery/fake_processes.hpp"

namespace tmm::boinc {
namespace {

// The client still tells the process id of a task that has ended. The kernel may have given it to another one.
TEST(Measure, ATaskWithoutAProcessHasNoMemoryThoughItsNumberIsInUse) {
    TempTree tree;
    put_process(tree, {9, 8, 4});
    put_directory(tree, 9, "/var/lib/boinc/slots/0");
    Task task;
    task.active.emplace();
    task.active->pid = 9;
    task.active->slot = 0;
    task.active->resident_bytes = 5;
    for (const ProcessState state : {ProcessState::none, ProcessState::exited, ProcessState::killed, ProcessState::copying}) {
        task.active->state = state;
        const MeasuredTask measured = measure(tree.root(), task, {});
        EXPECT_FALSE(measured.is_measured);
        EXPECT_EQ(measured.resident_bytes + measured.swap_bytes, 0U);
    }
    task.active->state = ProcessState::executing;
    EXPECT_EQ(measure(tree.root(), task, {}).swap_bytes, 4096U);
    EXPECT_EQ(measure(tree.root(), task, {}).start_ticks, 500U);
}

TEST(Measure, ATaskInDockerIsOutside) {
    TempTree tree;
    Task task;
    task.plan_class = "docker";
    EXPECT_FALSE(measure(tree.root(), task, {}).is_outside);
    task.active.emplace();
    task.active->state = ProcessState::executing;
    task.active->resident_bytes = 5;
    EXPECT_TRUE(measure(tree.root(), task, {}).is_outside);
    EXPECT_EQ(measure(tree.root(), task, {}).resident_bytes, 5U);
}

TEST(Measure, ATaskInAnotherSliceIsOutside) {
    TempTree tree;
    put_process(tree, {9, 8, 4});
    put_directory(tree, 9, "/var/lib/boinc/slots/0");
    Task task;
    task.active.emplace();
    task.active->state = ProcessState::suspended;
    task.active->pid = 9;
    task.active->slot = 0;
    const auto measured = [&](const std::string& slice) {
        tree.file("proc/9/cgroup", "0::/" + slice + "/boinc-client.service\n");
        return measure(tree.root(), task, {});
    };
    EXPECT_TRUE(measured("system.slice").is_outside);
    EXPECT_FALSE(measured("transparent.slice").is_outside);
    EXPECT_EQ(measured("transparent.slice").resident_bytes, 8192U);
    EXPECT_EQ(measured("transparent.slice").swap_bytes, 4096U);
}

}  // namespace
}  // namespace tmm::boinc
