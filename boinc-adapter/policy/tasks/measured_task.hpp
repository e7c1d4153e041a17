// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MeasuredTask: a task as its client and its processes tell of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "boinc-adapter/policy/facts.hpp"
#include "boinc-adapter/rpc/values.hpp"

namespace tmm::boinc {

// A task with the facts that the client does not tell.
struct MeasuredTask {
    Task task;
    std::string project;            // its name; empty: not known
    std::string application;        // its name; empty: not known
    std::uint64_t bound_bytes = 0;  // the project's estimate of its memory; 0: not known
    std::string app_name;           // unique within the project; empty: not known
    // Of its processes; 0 without any.
    std::uint64_t resident_bytes = 0;
    std::uint64_t swap_bytes = 0;
    std::chrono::duration<double> processor{0};
    std::uint64_t start_ticks = 0;  // of its first process; 0: not known
    bool is_measured = false;       // its processes were found; else the client's word counts
    bool is_transparent = false;    // they are below transparent.slice
    bool is_outside = false;        // it has processes, and they are no contributions
};

// Returns the part of it that the policy decides from. Pure.
TaskFacts facts_of(const MeasuredTask& measured);

}  // namespace tmm::boinc
