// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What tmm-boinc shows to people, as a function of facts, and when it tells them that it has changed. The words are those of
// dbus/org.transparentmemory.TmmBoinc1.xml. Pure. Not thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "boinc-adapter/policy/donation/day_account.hpp"
#include "boinc-adapter/policy/tasks/measured_task.hpp"
#include "boinc-adapter/rpc/values.hpp"

namespace tmm::boinc {

// Returns a text such as "8.0.4".
std::string text_of(const Version& version);

struct ShownFacts {
    enum class Client {
        absent,  // does not answer
        frozen,  // cannot answer: tmmd has frozen it with its tasks
        answers,
    };
    Client client = Client::absent;
    std::string silence;  // why an absent one does not answer although it runs; empty: none runs, as far as TMM can tell
    std::optional<Version> version;
    std::vector<MeasuredTask> tasks;
    std::map<TaskId, std::uint64_t> waiting;  // tasks that TMM holds, and the memory that each waits for
    bool is_read_only = false;
    bool has_tmmd = false;                   // it runs and is in no trouble
    bool has_stopped = false;                // TMM has stopped all tasks
    std::vector<std::string> other_clients;  // a sentence for each client that TMM leaves alone
    std::string trouble;                     // anything else that keeps TMM from its work; empty: nothing
};

struct ShownTask {
    std::string project;
    std::string application;
    std::string name;
    std::string state;
    double progress = 0;  // [0, 1]
    std::uint64_t memory_bytes = 0;
    std::uint64_t swap_bytes = 0;
    std::uint64_t needed_bytes = 0;
    bool is_outside = false;

    bool operator==(const ShownTask&) const = default;
};

struct Shown {
    std::string state;
    std::string message;
    std::string client_version;
    std::uint32_t tasks_outside = 0;
    std::vector<std::string> other_clients;
    std::vector<ShownTask> tasks;

    bool operator==(const Shown&) const = default;
};

// A client may have thousands of tasks, with names as long as their projects like.
constexpr std::size_t max_shown_tasks = 256;
constexpr std::size_t max_shown_bytes = 1024;
constexpr std::size_t max_shown_columns = 256;

Shown shown(const ShownFacts& facts);

// Decides which properties to announce.
class ShownNews {
public:
    static constexpr std::chrono::seconds min_interval{2};
    // They grow all the time while a task runs.
    static constexpr std::chrono::minutes min_days_interval{1};
    static constexpr double min_progress_change = 0.001;
    static constexpr std::uint64_t min_memory_change = 1U << 20;

    // Returns the names of the properties to announce now. now: a clock that goes on while the machine sleeps.
    std::vector<const char*> take(const Shown& next, const std::vector<DayOfWork>& days, std::chrono::milliseconds now);

private:
    // As last announced.
    Shown announced_;
    std::vector<DayOfWork> announced_days_;
    std::optional<std::chrono::milliseconds> at_;
    std::optional<std::chrono::milliseconds> days_at_;
};

}  // namespace tmm::boinc
