// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// DayAccount: the work of a client's tasks and the memory that they had, by day. Pure. Not thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "boinc-adapter/policy/tasks/measured_task.hpp"

namespace tmm::boinc {

struct DayOfWork {
    std::string date;         // "2026-11-23"
    double cpu_seconds = 0;   // that reached a checkpoint
    double byte_seconds = 0;  // memory of the tasks over time

    bool operator==(const DayOfWork&) const = default;
};

class DayAccount {
public:
    static constexpr std::size_t max_days = 31;
    // After a longer time without facts, nobody knows what the memory was.
    static constexpr std::chrono::seconds max_gap{30};

    DayAccount() = default;
    // days: of a former account.
    explicit DayAccount(std::vector<DayOfWork> days) : days_(std::move(days)) {}

    // Adds the time since the last call. date: local, as DayOfWork has it. now: a clock that goes on while the machine sleeps.
    void add(const std::string& date, const std::vector<MeasuredTask>& tasks, std::chrono::milliseconds now);
    // The client is lost: another one may follow.
    void forget_client();

    // The oldest first.
    [[nodiscard]] const std::vector<DayOfWork>& days() const { return days_; }

private:
    std::vector<DayOfWork> days_;
    std::map<TaskId, double> counted_;  // the seconds of each task's processor time that are in the account, or before it
    std::optional<std::chrono::milliseconds> at_;
};

// The text of the file that keeps it. Error: EINVAL for any other text.
std::string format_days(const std::vector<DayOfWork>& days);
Result<std::vector<DayOfWork>> parse_days(std::string_view text);

}  // namespace tmm::boinc
