// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Policy: decides what to tell a BOINC client, so that its tasks use no more memory than tmmd can spare and lose no work by it.
//
// A client aborts for good each executing task that is larger than its limit. Before 8.2.15 it also ends tasks whose sum exceeds
// the limit, and they lose their work since the last checkpoint. So the limit never goes below what executing tasks, and those
// that the client may start, can need. To go lower, the policy first suspends tasks and waits until they stand still.
//
// Pure: its time comes as an argument. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "boinc-adapter/policy/donation/donation.hpp"
#include "boinc-adapter/policy/donation/run_mode.hpp"
#include "boinc-adapter/policy/facts.hpp"
#include "boinc-adapter/policy/plan.hpp"
#include "boinc-adapter/policy/resumed_tasks.hpp"
#include "boinc-adapter/policy/tasks/task_sizes.hpp"

namespace tmm::boinc {

// The part of the policy's state that outlives the adapter: what it did to tasks that the user did not do.
struct SavedState {
    std::set<TaskId> held;
    bool has_stopped = false;

    bool operator==(const SavedState&) const = default;
};

class Policy {
public:
    static constexpr std::chrono::seconds min_push_interval{15};
    static constexpr double min_push_change = 0.05;
    // A new adapter watches the tasks for so long before it lowers the limit.
    static constexpr std::chrono::seconds watch_length{20};
    // Below this, no task of any use fits.
    static constexpr std::uint64_t min_useful_bytes = 64U << 20;
    // The client kills a task that has not ended after a minute.
    static constexpr std::chrono::seconds max_ending{90};
    // A donation that comes and goes must not cost a task more than a twentieth of its work.
    static constexpr std::chrono::minutes min_between_ends{10};
    // A client runs a task that may run again within two seconds, if its limit allows it and a processor is free.
    static constexpr std::chrono::seconds max_waking{8};
    // Orders in one turn, so that a client with thousands of tasks is not kept busy.
    static constexpr std::size_t max_orders = 16;

    // Returns the orders of a turn. The caller saves saved_state() before it carries them out.
    Orders step(const Facts& facts, const Donation& donation, Now now);

    // Takes the state that an adapter before this one saved.
    void restore(const SavedState& saved, Now now);
    [[nodiscard]] SavedState saved_state() const;

    // The client carried out the order to suspend a task or to resume it. From then on, another state is its user's doing.
    void carried_out(const TaskId& task, bool is_suspended);

    // The connection was lost: a client that crashed may have forgotten the last orders. saved: as in Facts.
    void client_restarted(const FileMark& saved);

    // Returns the memory that each task waits for, of those that TMM holds.
    [[nodiscard]] std::map<TaskId, std::uint64_t> waiting() const;

private:
    enum class Push { if_large, if_due, at_once };  // for large changes after the interval; any after it; any

    void follow_held(const Facts& facts, Now now);
    [[nodiscard]] bool any_stops(const Facts& facts, bool ends, Now now) const;
    bool choose_ends(Plan& wanted, const Facts& facts, std::uint64_t donated, Now now) const;
    void push_for(Plan& wanted, const Facts& facts, std::uint64_t donated, bool leave_in_memory, Now now, Orders& orders);
    void give(const Facts& facts, std::uint64_t donated, Now now, Orders& orders);
    void stop(const Facts& facts, const Donation& donation, Now now, Orders& orders);
    void let_go(const Facts& facts, Now now, Orders& orders);
    [[nodiscard]] bool any_wakes(const Facts& facts, Now now) const;
    void push(const Facts& facts, std::uint64_t limit, Push when, bool leave_in_memory, Now now, Orders& orders);

    std::map<TaskId, HeldTask> held_;
    std::set<TaskId> insisted_;  // the user resumed what TMM had suspended
    ResumedTasks resumed_;
    std::map<TaskId, std::chrono::milliseconds> ended_;  // when TMM asked tasks to end, of the last min_between_ends
    TaskSizes sizes_;
    RunModeRule mode_;
    std::optional<std::chrono::milliseconds> pushed_at_;
    std::optional<std::chrono::milliseconds> watches_since_;
    std::optional<std::chrono::milliseconds> stopped_at_;  // the stop that is under way began
    std::map<TaskId, std::chrono::milliseconds> waking_;   // tasks that TMM has let go, and when
};

// Returns whether to let the client end its tasks while nothing is given, instead of keeping them in memory: only if each of them
// may end (holding.hpp). Frozen ones never do. ended_lately: tasks that must not end again so soon.
bool should_quit(const Facts& facts, const Donation& donation, const std::set<TaskId>& ended_lately = {});

}  // namespace tmm::boinc
