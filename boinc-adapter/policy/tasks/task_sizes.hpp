// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// TaskSizes: the memory that tasks have used so far, and the memory that they will need. Pure: its time comes as an argument. Not
// thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "boinc-adapter/policy/facts.hpp"

namespace tmm::boinc {

class TaskSizes {
public:
    static constexpr double size_margin = 1.1;
    // The processor's time in which a task fetches the memory that it will need.
    static constexpr std::chrono::seconds youth{60};
    // The growth of a task goes on for so long: a few turns.
    static constexpr std::chrono::seconds growth_horizon{15};
    // A suspended task stops within a second or two. One that still uses the processor after this time does not stop: BOINC's
    // wrapper tells its task to, which may not hear it.
    static constexpr std::chrono::seconds max_run_on{5};
    static constexpr double min_run_on_share = 0.1;

    // Looks at the tasks of a turn, and forgets all others. The other functions take tasks of the last turn.
    void observe(const std::vector<TaskFacts>& tasks, Now now);

    // The connection was lost: tasks may have begun anew.
    void client_restarted();

    // Returns the memory that the task will need soon.
    [[nodiscard]] std::uint64_t need_of(const TaskFacts& task) const;
    // Returns the limit that the task never exceeds: it may come back to its peak between two turns. Its room in the donation
    // follows its size.
    [[nodiscard]] std::uint64_t limit_for(const TaskFacts& task) const;
    // Returns the memory of a suspended task that does not stop; 0: it stands still.
    [[nodiscard]] std::uint64_t run_on_bytes(const TaskFacts& task) const;
    // Returns whether nothing tells the memory that a task will need. The client has just got it, and tells its bound later.
    [[nodiscard]] bool is_unknown(const TaskFacts& task) const;

private:
    struct Seen {
        std::uint64_t bytes = 0;
        std::uint64_t peak_bytes = 0;          // of the time past its youth
        std::uint64_t process_peak_bytes = 0;  // of its process: it may need as much again
        std::uint64_t ended_peak_bytes = 0;    // of its processes before, old or young: the next one needs as much
        std::uint64_t growth_bytes = 0;        // to be expected within growth_horizon
        std::chrono::milliseconds at{0};
        std::optional<std::chrono::duration<double>> processor;
        std::uint64_t start_ticks = 0;
        bool was_suspended = false;
        std::chrono::milliseconds runs_on{0};  // suspended, it has used the processor all the time for so long
        bool was_in_memory = false;
        // Of the processor's time: now, and when its process began. A process that begins anew has to fetch its memory again.
        std::chrono::duration<double> cpu{0};
        std::chrono::duration<double> start_cpu{0};

        [[nodiscard]] bool is_young() const { return !was_in_memory || cpu - start_cpu < youth; }
    };
    struct App {
        std::set<TaskId> grown_up;  // tasks that are past their youth, a few
        std::uint64_t peak_bytes = 0;
    };

    [[nodiscard]] Seen look_at(const TaskFacts& task, Now now) const;
    [[nodiscard]] std::uint64_t estimate_of(const TaskFacts& task) const;

    std::map<TaskId, Seen> seen_;
    std::map<std::string, App> apps_;
};

}  // namespace tmm::boinc
