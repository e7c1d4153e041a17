// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Plan: which tasks of a client fit beside each other in the donation, and which have to wait. Pure: its time comes as an
// argument.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "boinc-adapter/policy/facts.hpp"
#include "boinc-adapter/policy/tasks/task_sizes.hpp"

namespace tmm::boinc {

// A task that TMM suspended.
struct HeldTask {
    // It stays so for a while: to let it go back and forth costs more than it gains.
    static constexpr std::chrono::seconds min_hold{30};
    // After so long it goes before others.
    static constexpr std::chrono::hours max_wait{1};

    std::chrono::milliseconds since{0};
    bool was_seen = false;     // the client told that it is suspended
    bool is_resuming = false;  // ordered; until the client tells that it is so, another adapter would have to order it again
    std::uint64_t need_bytes = 0;
    bool ends = false;  // it was to end, and not to stay in memory
};

// The tasks to suspend and to resume, and the limit below which the client must not be.
struct Plan {
    std::vector<const TaskFacts*> suspend;
    std::vector<const TaskFacts*> resume;
    std::uint64_t floor_bytes = 0;     // for the tasks that run or may start
    std::uint64_t largest_bytes = 0;   // of one of them, or of one that somebody may resume
    std::uint64_t occupied_bytes = 0;  // by tasks that are suspended
    std::uint64_t resumed_bytes = 0;   // for the tasks as they are to be
    bool has_unknown = false;          // nobody knows how large one of them will be
};

// insisted: tasks that the user resumed after TMM had suspended them. sizes: has observed the tasks of these facts. The plan
// points to tasks of facts.
Plan make_plan(const Facts& facts, const TaskSizes& sizes, const std::map<TaskId, HeldTask>& held_tasks,
               const std::set<TaskId>& insisted, std::uint64_t donated, Now now);

}  // namespace tmm::boinc
