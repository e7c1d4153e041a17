// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The output of tmmctl boinc, and the tasks among the contributions of tmmctl status. Pure.
// dbus/org.transparentmemory.TmmBoinc1.xml gives meaning and units of the values.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tmmd/ctl/text/screen.hpp"
#include "tmmd/wire/types.hpp"

namespace tmm::ctl {

struct BoincTask {
    std::string project;
    std::string application;
    std::string name;
    std::string state;
    double progress = std::numeric_limits<double>::quiet_NaN();
    std::uint64_t memory_bytes = 0;
    std::uint64_t swap_bytes = 0;
    std::uint64_t needed_bytes = 0;
    bool outside = false;
};

struct BoincDay {
    std::string date;
    double checkpointed_s = 0;
    double byte_seconds = 0;
};

// The state of tmm-boinc(8).
struct Boinc {
    std::string version;
    std::string state;
    std::string message;
    std::string client_version;
    std::uint32_t tasks_outside = 0;
    std::vector<std::string> other_clients;  // a sentence for each
    std::vector<BoincTask> tasks;
    std::vector<BoincDay> days;  // oldest first
};

// "running", "waits for 1.2 GiB; no contribution": why the task stands still.
std::string task_sentence(const BoincTask& task);

// The state, the tasks, and the last seven days.
std::string format_boinc(const Boinc& boinc, const Screen& screen);

// Returns whether the contribution is the service of a BOINC client: its tasks are the contributions.
bool is_boinc(const wire::Contribution& contribution);

// Adds a row to a table of contributions for each of the tasks that has memory in the client's contribution.
void add_contributed(Table& table, const wire::Contribution& client, const std::vector<BoincTask>& tasks);

// One object on one line, with all days.
std::string boinc_json(const Boinc& boinc);

}  // namespace tmm::ctl
