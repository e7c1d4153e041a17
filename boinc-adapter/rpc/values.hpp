// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The facts that a BOINC client tells, as values. Memory is in bytes.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace tmm::boinc {

struct Version {
    int major = 0;
    int minor = 0;
    int release = 0;

    bool operator==(const Version&) const = default;
    bool operator<(const Version& other) const {
        return std::tie(major, minor, release) < std::tie(other.major, other.minor, other.release);
    }
};

// A task's name is unique within its project.
struct TaskId {
    std::string project_url;
    std::string name;

    bool operator==(const TaskId&) const = default;
    bool operator<(const TaskId& other) const { return std::tie(project_url, name) < std::tie(other.project_url, other.name); }
};

// active_task_state: the client's states of a process.
enum class ProcessState {
    none = 0,  // not started, or ended to start again; its old process id remains
    executing = 1,
    exited = 2,
    killed = 3,
    aborted = 6,
    unstartable = 7,
    quitting = 8,  // asked to end, and still there
    suspended = 9,
    copying = 10,  // its files are still being copied into the slot
};

struct ActiveTask {
    ProcessState state = ProcessState::none;
    int slot = -1;
    pid_t pid = 0;
    std::chrono::duration<double> checkpoint_cpu{0};  // the processor's time at its last checkpoint; 0: it has none
    std::chrono::duration<double> current_cpu{0};
    double fraction_done = 0;
    std::uint64_t resident_bytes = 0;
    std::uint64_t smoothed_bytes = 0;  // the client compares this with its limit
    std::uint64_t address_bytes = 0;   // of its processes' address space, which the client calls swap
    bool too_large = false;            // the client waits for memory to run it
};

struct Task {
    TaskId id;
    std::string work_name;
    std::string plan_class;
    bool uses_gpu = false;
    bool is_unfinished = false;  // to be downloaded or run
    bool is_aborted = false;
    bool is_success = false;  // all of it is computed, and without an error
    bool suspended_by_gui = false;
    bool project_suspended_by_gui = false;
    std::chrono::duration<double> final_cpu{0};  // the processor's time, of a task that is finished
    std::optional<ActiveTask> active;
};

// A piece of work, as its project describes it. Names of the project and of the application are for people.
struct Work {
    std::string app_name;
    std::string application;
    std::string project;
    std::uint64_t bound_bytes = 0;  // of memory
};
using Works = std::map<std::string, Work>;  // by name

enum class RunMode { always = 1, automatic = 2, never = 3 };

struct ModeStatus {
    RunMode current = RunMode::automatic;
    RunMode permanent = RunMode::automatic;
    std::chrono::duration<double> delay{0};  // until permanent is in force again; 0: it is
};

struct Preferences {
    // The client takes 0 for 100 %, so TMM writes at least this.
    static constexpr double min_percent = 0.01;

    double busy_percent = 50;  // of the machine's memory, while somebody uses the machine
    double idle_percent = 90;
    bool leave_in_memory = false;

    bool operator==(const Preferences&) const = default;
};

}  // namespace tmm::boinc
