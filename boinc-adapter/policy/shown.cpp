// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/shown.hpp"

#include <algorithm>
#include <cmath>

#include "base/text/utf8.hpp"

namespace tmm::boinc {

namespace {

// Names come from projects: whatever their bytes are, the bus and a terminal take these.
std::string name_of(const std::string& text) {
    return cut_to_columns(printable(std::string_view(text).substr(0, max_shown_bytes)), max_shown_columns);
}

bool is_in_memory(const Task& task) {
    if (!task.active)
        return false;
    const ProcessState state = task.active->state;
    return state == ProcessState::executing || state == ProcessState::suspended || state == ProcessState::quitting;
}

// With processes or without, some of its work is done.
bool has_begun(const Task& task) {
    return task.active && (is_in_memory(task) || task.active->current_cpu.count() > 0);
}

const char* state_of(const Task& task, const ShownFacts& facts) {
    const ProcessState state = task.active ? task.active->state : ProcessState::none;
    switch (state) {
        case ProcessState::exited:
        case ProcessState::killed:
        case ProcessState::aborted:
        case ProcessState::unstartable:
        case ProcessState::quitting:
            return "ending";
        default:
            break;
    }
    if (facts.waiting.contains(task.id))
        return "waiting";
    if (task.suspended_by_gui || task.project_suspended_by_gui)
        return "suspended";
    if (!has_begun(task))
        return "queued";
    if (facts.client == ShownFacts::Client::frozen || facts.has_stopped)
        return "paused";
    return state == ProcessState::executing ? "running" : "suspended";
}

ShownTask shown_task(const MeasuredTask& measured, const ShownFacts& facts) {
    const Task& task = measured.task;
    ShownTask shown;
    shown.project = name_of(measured.project.empty() ? task.id.project_url : measured.project);
    shown.application = name_of(measured.application);
    shown.name = name_of(task.id.name);
    shown.state = state_of(task, facts);
    if (task.active)
        shown.progress = task.active->fraction_done;
    shown.memory_bytes = measured.resident_bytes;
    shown.swap_bytes = measured.swap_bytes;
    if (const auto waits = facts.waiting.find(task.id); waits != facts.waiting.end() && shown.state == "waiting")
        shown.needed_bytes = waits->second;
    shown.is_outside = measured.is_outside;
    return shown;
}

void show_state(const ShownFacts& facts, Shown& shown) {
    const auto show = [&](const char* state, std::string message) {
        shown.state = state;
        shown.message = std::move(message);
    };
    // "no-client" has the remedy for one that does not run.
    if (facts.client == ShownFacts::Client::absent && !facts.silence.empty())
        show("trouble", printable(facts.silence));
    else if (facts.client == ShownFacts::Client::absent)
        show("no-client", "No BOINC client answers; 'systemctl start boinc-client' starts it.");
    else if (facts.is_read_only)
        show("read-only", "The BOINC client refuses orders; let the group boinc read its gui_rpc_auth.cfg, and restart it.");
    else if (!facts.trouble.empty())
        show("trouble", printable(facts.trouble));
    else if (!facts.has_tmmd)
        show("no-tmmd", "tmmd does not work, so BOINC has its own limits only; 'systemctl start tmmd' starts it.");
    else
        show("working", "");
}

bool is_news(const ShownTask& before, const ShownTask& now) {
    const auto far = [](std::uint64_t one, std::uint64_t other) {
        return std::max(one, other) - std::min(one, other) >= ShownNews::min_memory_change;
    };
    if (std::abs(before.progress - now.progress) >= ShownNews::min_progress_change ||
        far(before.memory_bytes, now.memory_bytes) || far(before.swap_bytes, now.swap_bytes) ||
        far(before.needed_bytes, now.needed_bytes))
        return true;
    ShownTask same = now;
    same.progress = before.progress;
    same.memory_bytes = before.memory_bytes;
    same.swap_bytes = before.swap_bytes;
    same.needed_bytes = before.needed_bytes;
    return same != before;
}

bool is_news(const std::vector<ShownTask>& before, const std::vector<ShownTask>& now) {
    return !std::equal(before.begin(), before.end(), now.begin(), now.end(),
                       [](const ShownTask& one, const ShownTask& other) { return !is_news(one, other); });
}

}  // namespace

std::string text_of(const Version& version) {
    return std::to_string(version.major) + "." + std::to_string(version.minor) + "." + std::to_string(version.release);
}

Shown shown(const ShownFacts& facts) {
    Shown shown;
    show_state(facts, shown);
    shown.other_clients = facts.other_clients;
    if (facts.client == ShownFacts::Client::absent)
        return shown;
    if (facts.version)
        shown.client_version = text_of(*facts.version);
    std::vector<const MeasuredTask*> tasks;
    for (const MeasuredTask& measured : facts.tasks) {
        if (!measured.task.is_unfinished)
            continue;
        tasks.push_back(&measured);
        shown.tasks_outside += measured.is_outside ? 1 : 0;
    }
    std::stable_partition(tasks.begin(), tasks.end(), [](const MeasuredTask* one) { return is_in_memory(one->task); });
    tasks.resize(std::min(tasks.size(), max_shown_tasks));
    for (const MeasuredTask* one : tasks)
        shown.tasks.push_back(shown_task(*one, facts));
    return shown;
}

std::vector<const char*> ShownNews::take(const Shown& next, const std::vector<DayOfWork>& days, std::chrono::milliseconds now) {
    std::vector<const char*> names;
    if (at_ && now - *at_ < min_interval)
        return names;
    const auto announce = [&](const char* name, auto& before, const auto& value, bool is_new) {
        if (!is_new)
            return;
        names.push_back(name);
        before = value;
    };
    announce("State", announced_.state, next.state, next.state != announced_.state);
    announce("Message", announced_.message, next.message, next.message != announced_.message);
    announce("ClientVersion", announced_.client_version, next.client_version, next.client_version != announced_.client_version);
    announce("TasksOutside", announced_.tasks_outside, next.tasks_outside, next.tasks_outside != announced_.tasks_outside);
    announce("OtherClients", announced_.other_clients, next.other_clients, next.other_clients != announced_.other_clients);
    announce("Tasks", announced_.tasks, next.tasks, is_news(announced_.tasks, next.tasks));
    const bool days_are_due = !days_at_ || now - *days_at_ >= min_days_interval;
    if (days_are_due && days != announced_days_) {
        announce("Days", announced_days_, days, true);
        days_at_ = now;
    }
    if (!names.empty())
        at_ = now;
    return names;
}

}  // namespace tmm::boinc
