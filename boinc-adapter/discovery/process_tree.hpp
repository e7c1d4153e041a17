// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the processes of a task and measures them. A client's word for a process id is not enough: after a task ended, the client
// still tells the old one, and the kernel may have given it to another program. Parsers are pure; readers take the root
// directory.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::boinc {

struct ProcessStat {
    std::string_view name;
    pid_t parent = 0;
    std::uint64_t processor_ticks = 0;  // that it has used, its ended children left out
    std::uint64_t start_ticks = 0;      // since the machine started
};

// Parses /proc/PID/stat. name points into text. Error: EINVAL for any other text.
Result<ProcessStat> parse_process_stat(std::string_view text);

// Returns whether a process with the number that the client told is its task in slots/SLOT. directory: where the process works,
// or why that is hidden, as it is from other users; then a parent that is a client must do. Pure.
bool is_task_process(const Result<std::string>& directory, int slot, std::string_view parent_name);

struct ProcessMemory {
    std::uint64_t resident_bytes = 0;
    std::uint64_t swap_bytes = 0;
};

// Parses /proc/PID/status; all is 0 for a process that has ended.
ProcessMemory parse_process_memory(std::string_view text);

struct TaskTree {
    // Of the process and all its descendants.
    std::uint64_t resident_bytes = 0;
    std::uint64_t swap_bytes = 0;
    std::chrono::duration<double> processor{0};  // that they have used; it falls when one of them ends
    std::uint64_t start_ticks = 0;               // of the first one: another process with its number has another start
    int nr_processes = 0;
    bool is_transparent = false;  // it is below transparent.slice: tmmd limits and freezes it

    [[nodiscard]] std::uint64_t true_bytes() const { return resident_bytes + swap_bytes; }
};

// Measures the task that the client runs as process pid in slots/SLOT. root: "/". Nothing: the process ended, or it is no task:
// it neither works in the slot nor is a child of a client. Descendants that the task's container or virtual machine hides are
// left out.
std::optional<TaskTree> measure_task(const RootDir& root, pid_t pid, int slot);

// Returns whether the process is below transparent.slice, as its children will be. root: "/".
bool is_below_transparent_slice(const RootDir& root, pid_t pid);

// Returns whether a task of this plan class runs out of reach, in Docker or VirtualBox: its processes belong to another service.
bool is_out_of_reach(std::string_view plan_class);

}  // namespace tmm::boinc
