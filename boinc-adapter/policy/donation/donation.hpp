// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// tmmd's wish for the client, from the state that tmmd tells. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "boinc-adapter/policy/tasks/measured_task.hpp"

namespace tmm::boinc {

// The properties of tmmd that count here.
struct TmmdStatus {
    bool is_there = false;
    std::string state;                    // State
    std::uint64_t limit_bytes = 0;        // TransparentLimitBytes
    std::uint64_t transparent_bytes = 0;  // TransparentBytes
    std::string reason;                   // ReasonCode
    std::uint64_t free_bytes = 0;         // FreeBytes
    std::uint64_t paused_until_us = 0;    // PausedUntil
};

// tmmd's wish for the client.
struct Donation {
    enum class State {
        giving,  // tasks may use `bytes`
        paused,  // nothing may run, for a time
        off,     // nothing may run, until somebody changes that
        absent,  // tmmd is gone or in trouble: the client is its user's alone
    };
    State state = State::absent;
    std::uint64_t bytes = 0;    // memory that the client's tasks may use
    bool is_frozen = false;     // the kernel has stopped the tasks' processes
    bool has_open_end = false;  // paused until somebody resumes
};

// Returns the state of the wish alone.
Donation::State state_of(const TmmdStatus& tmmd);

// Returns tmmd's wish. tasks_bytes: resident memory of the client's tasks that tmmd counts among transparent_bytes;
// outside_bytes: of its other tasks. memory_bytes: of the machine.
Donation donation_of(const TmmdStatus& tmmd, std::uint64_t tasks_bytes, bool are_transparent, std::uint64_t memory_bytes,
                     std::uint64_t outside_bytes = 0);

// The same for tasks that were measured.
Donation donation_of(const TmmdStatus& tmmd, const std::vector<MeasuredTask>& tasks, std::uint64_t memory_bytes);

}  // namespace tmm::boinc
