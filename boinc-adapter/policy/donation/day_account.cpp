// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/donation/day_account.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "boinc-adapter/policy/donation/pace.hpp"

namespace tmm::boinc {

namespace {

// At rest the turns are so far apart; each still counts as a whole.
static_assert(DayAccount::max_gap >= Pace::max_rest + Pace::look_interval);

constexpr std::string_view first_line = "tmm-boinc days 1";

DayOfWork& day_of(std::vector<DayOfWork>& days, const std::string& date) {
    const auto place = std::ranges::lower_bound(days, date, {}, &DayOfWork::date);
    if (place != days.end() && place->date == date)
        return *place;
    return *days.insert(place, DayOfWork{date, 0, 0});
}

bool is_date(std::string_view text) {
    constexpr std::string_view pattern = "0000-00-00";
    return std::equal(text.begin(), text.end(), pattern.begin(), pattern.end(),
                      [](char c, char wanted) { return wanted == '0' ? c >= '0' && c <= '9' : c == wanted; });
}

bool is_amount(const Result<double>& number) {
    return number && std::isfinite(*number) && *number >= 0;
}

}  // namespace

void DayAccount::add(const std::string& date, const std::vector<MeasuredTask>& tasks, std::chrono::milliseconds now) {
    const std::chrono::duration<double> gap = at_ ? std::clamp<std::chrono::milliseconds>(now - *at_, {}, max_gap) : max_gap * 0;
    at_ = now;
    double cpu_seconds = 0;
    double byte_seconds = 0;
    std::map<TaskId, double> counted;
    for (const MeasuredTask& one : tasks) {
        const Task& task = one.task;
        byte_seconds += static_cast<double>(one.resident_bytes) * gap.count();
        const auto before = counted_.find(task.id);
        double saved = task.active ? task.active->checkpoint_cpu.count() : 0;
        // Finished, all of its work counts; of a failed one, nothing more.
        if (task.is_success)
            saved = task.final_cpu.count();
        else if (!task.active && before != counted_.end())
            saved = before->second;
        // A task that this account sees for the first time may have worked before it.
        if (before != counted_.end())
            cpu_seconds += std::max(0.0, saved - before->second);
        counted[task.id] = saved;
    }
    counted_ = std::move(counted);
    if (cpu_seconds == 0 && byte_seconds == 0)
        return;
    DayOfWork& day = day_of(days_, date);
    day.cpu_seconds += cpu_seconds;
    day.byte_seconds += byte_seconds;
    if (days_.size() > max_days)
        days_.erase(days_.begin(), days_.end() - max_days);
}

void DayAccount::forget_client() {
    counted_.clear();
    at_.reset();
}

std::string format_days(const std::vector<DayOfWork>& days) {
    std::string text = std::string(first_line) + "\n";
    for (const DayOfWork& day : days)
        text += day.date + " " + format_fixed(day.cpu_seconds, 1) + " " + format_fixed(day.byte_seconds, 0) + "\n";
    return text;
}

Result<std::vector<DayOfWork>> parse_days(std::string_view text) {
    if (next_line(text) != first_line)
        return Error(EINVAL, "no account of tmm-boinc");
    std::vector<DayOfWork> days;
    while (!text.empty()) {
        std::string_view line = next_line(text);
        const std::string_view date = next_word(line);
        const auto cpu_seconds = parse_double(next_word(line));
        const auto byte_seconds = parse_double(next_word(line));
        const bool is_later = days.empty() || days.back().date < date;
        if (!is_date(date) || !is_amount(cpu_seconds) || !is_amount(byte_seconds) || !line.empty() || !is_later ||
            days.size() == DayAccount::max_days)
            return Error(EINVAL, "a damaged account of tmm-boinc");
        days.push_back({std::string(date), *cpu_seconds, *byte_seconds});
    }
    return days;
}

}  // namespace tmm::boinc
