// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/views/boinc.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/text/json.hpp"
#include "base/text/utf8.hpp"
#include "base/units.hpp"
#include "tmmd/ctl/views/status.hpp"

namespace tmm::ctl {

namespace {

constexpr std::size_t max_days = 7;
constexpr double seconds_in_hour = 3600;

// The words of the tray: tray-app/model/words/boinc_text.cpp.
std::string state_words(const BoincTask& task) {
    if (task.state == "waiting")
        return "waits for " + (task.needed_bytes > 0 ? format_bytes(task.needed_bytes) : "memory");
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> words{{{"paused", "paused while nothing is given"},
                                                                                  {"suspended", "suspended in BOINC"},
                                                                                  {"queued", "has not begun"},
                                                                                  {"ending", "is about to end"}}};
    for (const auto& [state, said] : words) {
        if (task.state == state)
            return std::string(said);
    }
    return task.state;
}

std::string format_state(const Boinc& boinc, const Screen& screen) {
    const bool works = boinc.state == "working";
    std::string reason = boinc.message;
    if (reason.empty() && works)
        reason = "BOINC " + (boinc.client_version.empty() ? "" : boinc.client_version + " ") + "follows tmmd";
    const Colour colour = works ? Colour::green : boinc.state == "trouble" ? Colour::red : Colour::yellow;
    return coloured(screen, colour, printable(boinc.state)) + (reason.empty() ? "" : ": " + printable(reason)) + "\n";
}

std::string format_outside(std::uint32_t tasks) {
    if (tasks == 0)
        return "";
    return "Tasks that are no contributions: " + std::to_string(tasks) +
           ". Those that began before tmm-boinc become contributions with 'systemctl restart boinc-client', "
           "and go on from their last checkpoint. Tasks in Docker or VirtualBox stay outside.\n";
}

std::string format_others(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences)
        text += printable(sentence) + "\n";
    return text;
}

// A task without processes has no memory at all.
std::string format_memory(const BoincTask& task) {
    return task.memory_bytes == 0 && task.swap_bytes == 0 ? "-" : format_bytes(task.memory_bytes);
}

std::string format_tasks(const std::vector<BoincTask>& tasks, const Screen& screen) {
    if (tasks.empty())
        return "BOINC has no unfinished task.\n";
    Table table({{"PROJECT", Table::Kind::shrinks},
                 {"APPLICATION", Table::Kind::shrinks},
                 {"TASK", Table::Kind::shrinks},
                 {"PROGRESS", Table::Kind::number},
                 {"MEMORY", Table::Kind::number},
                 {"STATE"}});
    for (const BoincTask& task : tasks) {
        const std::string progress = std::isfinite(task.progress) ? format_fixed(100 * task.progress, 1) + " %" : "-";
        table.add({task.project, task.application, task.name, progress, format_memory(task), task_sentence(task)});
    }
    return table.format(screen);
}

std::string format_days(const std::vector<BoincDay>& days, const Screen& screen) {
    if (days.empty())
        return "";
    Table table({{"DAY"}, {"SCIENCE", Table::Kind::number}, {"DONATED", Table::Kind::number}});
    for (auto day = days.end() - static_cast<std::ptrdiff_t>(std::min(days.size(), max_days)); day != days.end(); ++day) {
        table.add(
            {day->date, format_fixed(day->checkpointed_s / seconds_in_hour, 1) + " h", format_gib_hours(day->byte_seconds)});
    }
    return "\n" + table.format(screen);
}

std::string task_json(const BoincTask& task) {
    JsonObject object;
    object.text("project", task.project).text("application", task.application).text("name", task.name);
    object.text("state", task.state).number("progress_share", task.progress);
    object.count("memory_bytes", task.memory_bytes).count("swap_bytes", task.swap_bytes);
    task.state == "waiting" ? object.count("needed_bytes", task.needed_bytes) : object.null("needed_bytes");
    return object.flag("outside", task.outside).str();
}

std::string day_json(const BoincDay& day) {
    JsonObject object;
    object.text("date", day.date).number("checkpointed_s", day.checkpointed_s);
    return object.number("given_byte_seconds", day.byte_seconds).str();
}

}  // namespace

std::string task_sentence(const BoincTask& task) {
    return state_words(task) + (task.outside ? "; no contribution" : "");
}

bool is_boinc(const wire::Contribution& contribution) {
    // Only administrators are told the names of other users' contributions.
    return contribution.name == "boinc-client.service" || (contribution.name.empty() && user_name(contribution.user) == "boinc");
}

void add_contributed(Table& table, const wire::Contribution& client, const std::vector<BoincTask>& tasks) {
    for (const BoincTask& task : tasks) {
        if (!task.outside && task.memory_bytes + task.swap_bytes > 0)
            table.add({"  " + task.project + ": " + task.name, user_name(client.user), format_bytes(task.memory_bytes),
                       task_sentence(task), ""});
    }
}

std::string format_boinc(const Boinc& boinc, const Screen& screen) {
    return format_state(boinc, screen) + format_outside(boinc.tasks_outside) + format_others(boinc.other_clients) + "\n" +
           format_tasks(boinc.tasks, screen) + format_days(boinc.days, screen);
}

std::string boinc_json(const Boinc& boinc) {
    std::vector<std::string> tasks;
    std::transform(boinc.tasks.begin(), boinc.tasks.end(), std::back_inserter(tasks), task_json);
    std::vector<std::string> days;
    std::transform(boinc.days.begin(), boinc.days.end(), std::back_inserter(days), day_json);
    JsonObject object;
    object.text("state", boinc.state).text("message", boinc.message);
    boinc.client_version.empty() ? object.null("client_version") : object.text("client_version", boinc.client_version);
    object.count("tasks_outside", boinc.tasks_outside);
    std::vector<std::string> others;
    std::transform(boinc.other_clients.begin(), boinc.other_clients.end(), std::back_inserter(others), json_string);
    object.add("other_clients", json_array(others));
    object.add("tasks", json_array(tasks)).add("days", json_array(days)).text("adapter_version", boinc.version);
    return object.str() + "\n";
}

}  // namespace tmm::ctl
