// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The facts that the policy decides from, and its orders. Plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "boinc-adapter/rpc/values.hpp"

namespace tmm::boinc {

// Both clocks go on while the machine sleeps. A client counts its temporary modes by the wall clock, which people can set.
struct Now {
    std::chrono::milliseconds elapsed{0};
    std::chrono::milliseconds wall{0};
};

struct TaskFacts {
    TaskId id;
    ProcessState state = ProcessState::none;
    bool is_unfinished = true;      // not all of it is computed
    bool suspended_by_gui = false;  // by the user or by TMM: the client does not tell which
    bool project_suspended = false;
    std::uint64_t true_bytes = 0;      // memory and swap of its processes; 0: not known
    std::uint64_t resident_bytes = 0;  // of these, those in memory
    std::uint64_t client_bytes = 0;    // as the client measures it, without swap
    std::uint64_t bound_bytes = 0;     // the project's estimate; 0: not known
    std::uint64_t address_bytes = 0;   // of address space, as the client measured last; 0: not known
    std::string app_name;
    bool uses_gpu = false;                            // the client ends it whenever it stops it, whatever the preferences say
    std::chrono::duration<double> checkpoint_cpu{0};  // 0: it has no checkpoint
    std::chrono::duration<double> current_cpu{0};
    std::uint64_t start_ticks = 0;                           // of its process: a new one has another number; 0: not known
    std::optional<std::chrono::duration<double>> processor;  // that its processes have used; none: not known

    // Returns the work since its checkpoint.
    [[nodiscard]] std::chrono::duration<double> unsaved() const { return current_cpu - checkpoint_cpu; }
    [[nodiscard]] bool is_in_memory() const {
        return state == ProcessState::executing || state == ProcessState::suspended || state == ProcessState::quitting;
    }
    // Returns whether it stands still in memory, where it stays only as long as the client's preferences say so.
    [[nodiscard]] bool stands_still() const { return state == ProcessState::suspended && checkpoint_cpu.count() > 0; }
    // Returns whether the client runs it, is still about to stop it, or may start it without anybody's doing.
    [[nodiscard]] bool may_run() const {
        return state == ProcessState::executing || state == ProcessState::quitting ||
               (is_unfinished && !suspended_by_gui && !project_suspended);
    }
};

// Another one: the file has probably another text. Zeros: there is none.
struct FileMark {
    std::uint64_t inode = 0;
    std::chrono::nanoseconds modified{0};

    bool operator==(const FileMark&) const = default;
};

// All that is known of a client in one turn.
struct Facts {
    std::uint64_t memory_bytes = 0;                // the machine's, as the client counts
    std::optional<std::uint64_t> swap_free_bytes;  // none: not known
    std::optional<std::uint64_t> available_bytes;  // that programs can get without swapping; none: not known
    // Of address space for the tasks that run together: for one more, the client ends others with their work since the last
    // checkpoint, whatever the preferences say. None: no such limit.
    std::optional<std::uint64_t> address_limit;
    std::vector<TaskFacts> tasks;
    ModeStatus mode;
    Preferences users;                // the user's own, without TMM's
    std::optional<Preferences> ours;  // those in force since the client read TMM's; none: the user's are in force
    bool reads_otherwise = false;  // it read other values than TMM wrote: nobody knows what becomes of a task that is suspended
    bool can_push = true;          // TMM can change the client's preferences
    FileMark saved;                // the file from which the client would start if it were killed now
};

// Requests to the client, to be carried out in the order of the members.
struct Orders {
    std::optional<Preferences> preferences;  // push these
    bool restore_preferences = false;        // or bring the user's back
    std::vector<TaskId> suspend;
    std::vector<TaskId> resume;
    std::optional<std::chrono::seconds> stop_for;  // run nothing for so long
    bool restore_mode = false;                     // end that

    [[nodiscard]] bool empty() const {
        return !preferences && !restore_preferences && suspend.empty() && resume.empty() && !stop_for && !restore_mode;
    }
};

}  // namespace tmm::boinc
