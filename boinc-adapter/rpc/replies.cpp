// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/rpc/replies.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <map>
#include <optional>

#include "base/text/utf8.hpp"
#include "base/units.hpp"
#include "boinc-adapter/rpc/framing.hpp"
#include "boinc-adapter/rpc/tags.hpp"

namespace tmm::boinc {

namespace {

using Seconds = std::chrono::duration<double>;

// Returns the tags of a whole reply, behind that of the element `wanted`.
Result<Tags> open_reply(std::string_view text, std::string_view wanted) {
    constexpr std::string_view start = "<boinc_gui_rpc_reply>";
    constexpr std::string_view end = "</boinc_gui_rpc_reply>";
    text = trim(text.substr(0, text.find(frame_end)));
    if (!text.starts_with(start) || !text.ends_with(end))
        return Error(EPROTO, "no whole reply of a BOINC client");
    Tags tags(text);
    while (tags.next_tag()) {
        const std::string_view name = std::string_view(tags.name()).substr(0, tags.name().find('/', 1));
        if (name == "unauthorized")
            return Error(EACCES, "the client wants another password");
        if (name == wanted)
            return tags;
        if (name == "error")
            return Error(EINVAL, "the client reports: " + printable(tags.text()));
    }
    return Error(EPROTO, "a reply without <" + std::string(wanted) + ">");
}

// The client writes numbers by printf: "1e+10", "-nan" and "inf" may occur. A value outside of the range becomes its nearest
// bound.
double number(const std::string& text, double min, double max, double otherwise) {
    const auto value = parse_double(text);
    return value ? std::clamp(*value, min, max) : otherwise;
}

std::uint64_t bytes(const std::string& text) {
    constexpr double max_bytes = 1e18;
    return static_cast<std::uint64_t>(number(text, 0, max_bytes, 0));
}

int integer(const std::string& text, int otherwise) {
    return static_cast<int>(number(text, std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), otherwise));
}

Seconds seconds(const std::string& text) {
    return Seconds(number(text, 0, 1e12, 0));
}

// The values of tags go into the active task, and into the task.
void take_active(std::string_view name, const std::string& text, ActiveTask& active) {
    if (name == "active_task_state")
        active.state = static_cast<ProcessState>(integer(text, 0));
    else if (name == "slot")
        active.slot = integer(text, -1);
    else if (name == "pid")
        active.pid = integer(text, 0);
    else if (name == "checkpoint_cpu_time")
        active.checkpoint_cpu = seconds(text);
    else if (name == "current_cpu_time")
        active.current_cpu = seconds(text);
    else if (name == "fraction_done")
        active.fraction_done = number(text, 0, 1, 0);
    else if (name == "working_set_size")
        active.resident_bytes = bytes(text);
    else if (name == "working_set_size_smoothed")
        active.smoothed_bytes = bytes(text);
    else if (name == "swap_size")
        active.address_bytes = bytes(text);
    else if (name == "too_large")
        active.too_large = text != "0";  // <too_large/> means true
}

void take_state(int state, Task& task) {
    // RESULT_FILES_DOWNLOADED and further states of the client
    constexpr int downloaded = 2;
    constexpr int uploading = 4;
    constexpr int uploaded = 5;
    constexpr int aborted = 6;
    task.is_unfinished = state >= 0 && state <= downloaded;
    task.is_aborted = state == aborted;
    task.is_success = state == uploading || state == uploaded;
}

void take_task(std::string_view name, const std::string& text, Task& task) {
    if (name == "name")
        task.id.name = text;
    else if (name == "project_url")
        task.id.project_url = text;
    else if (name == "wu_name")
        task.work_name = text;
    else if (name == "plan_class")
        task.plan_class = text;
    // For people, such as "0.1 CPUs + 1 NVIDIA GPU"; the client tells it of tasks that it runs or has run.
    else if (name == "resources")
        task.uses_gpu = text.find("GPU") != std::string::npos;
    else if (name == "state")
        take_state(integer(text, 0), task);
    else if (name == "final_cpu_time")
        task.final_cpu = seconds(text);
    else if (name == "suspended_via_gui")
        task.suspended_by_gui = text != "0";
    else if (name == "project_suspended_via_gui")
        task.project_suspended_by_gui = text != "0";
}

// Returns the task behind whose start the tags stand, and goes to its end.
Task task_of(Tags& tags) {
    Task task;
    task.is_unfinished = true;  // a state of 0
    bool is_in_active = false;
    while (tags.next_tag() && tags.name() != "/result") {
        const bool is_empty = tags.name().ends_with('/');
        const std::string_view name = std::string_view(tags.name()).substr(0, tags.name().size() - (is_empty ? 1 : 0));
        const std::string text = is_empty ? std::string() : tags.text();
        if (name == "active_task")
            task.active.emplace();
        if (name == "active_task" || name == "/active_task")
            is_in_active = name == "active_task" && !is_empty;
        else if (is_in_active)
            take_active(name, text, *task.active);
        else
            take_task(name, text, task);
    }
    return task;
}

// Returns the text of a child of the element behind whose start the tags stand; empty: it has none. `end`: of the element.
std::string child_text(Tags tags, std::string_view end, std::string_view name) {
    while (tags.next_tag() && tags.name() != end) {
        if (tags.name() == name)
            return tags.text();
    }
    return {};
}

RunMode mode_of(int number) {
    switch (number) {
        case 1:
            return RunMode::always;
        case 3:
            return RunMode::never;
        default:
            return RunMode::automatic;
    }
}

}  // namespace

Result<void> parse_done(std::string_view reply) {
    const auto found = open_reply(reply, "success");
    return found ? Result<void>() : Result<void>(found.error());
}

Result<void> parse_authorized(std::string_view reply) {
    const auto found = open_reply(reply, "authorized");
    return found ? Result<void>() : Result<void>(found.error());
}

Result<std::string> parse_nonce(std::string_view reply) {
    const auto found = open_reply(reply, "nonce");
    return found ? found->text() : Result<std::string>(found.error());
}

Result<Version> parse_version(std::string_view reply) {
    const auto found = open_reply(reply, "server_version");
    if (!found)
        return found.error();
    const auto part = [&](const char* name) { return integer(child_text(*found, "/server_version", name), 0); };
    return Version{part("major"), part("minor"), part("release")};
}

Result<std::vector<Task>> parse_tasks(std::string_view reply) {
    auto found = open_reply(reply, "results");
    if (!found)
        return std::move(found).error();
    std::vector<Task> tasks;
    while (found->next_tag() && found->name() != "/results") {
        if (found->name() != "result")
            continue;
        Task task = task_of(*found);
        // Without these two, no request can name it.
        if (task.id.project_url.empty() || task.id.name.empty())
            continue;
        if (tasks.size() == max_tasks)
            return Error(EFBIG, "the client has more than " + std::to_string(max_tasks) + " tasks");
        tasks.push_back(std::move(task));
    }
    return tasks;
}

Result<ModeStatus> parse_mode(std::string_view reply) {
    const auto found = open_reply(reply, "cc_status");
    if (!found)
        return found.error();
    const auto child = [&](const char* name) { return child_text(*found, "/cc_status", name); };
    ModeStatus mode;
    mode.current = mode_of(integer(child("task_mode"), 2));
    mode.permanent = mode_of(integer(child("task_mode_perm"), 2));
    mode.delay = seconds(child("task_mode_delay"));
    return mode;
}

Result<std::uint64_t> parse_memory_bytes(std::string_view reply) {
    const auto found = open_reply(reply, "host_info");
    if (!found)
        return found.error();
    const std::uint64_t memory = bytes(child_text(*found, "/host_info", "m_nbytes"));
    if (memory == 0)
        return Error(EPROTO, "the client does not tell the machine's memory");
    return memory;
}

Result<std::uint64_t> parse_swap_bytes(std::string_view reply) {
    const auto found = open_reply(reply, "host_info");
    return found ? bytes(child_text(*found, "/host_info", "m_swap")) : Result<std::uint64_t>(found.error());
}

namespace {

// Takes the client's state tag by tag.
class WorksReader {
public:
    Result<Works> read(Tags& tags) {
        while (tags.next_tag() && tags.name() != "/client_state") {
            // The project's own markup, as it came.
            if (tags.name() == "gui_urls" && !tags.skip_to("/gui_urls"))
                return Error(EPROTO, "the client's state is cut off");
            take(tags);
            if (works_.size() > max_tasks || applications_.size() > max_tasks)
                return Error(EFBIG, "the client has more than " + std::to_string(max_tasks) + " works or applications");
        }
        return std::move(works_);
    }

private:
    // Each project comes before its applications, and they before their works.
    void take(const Tags& tags) {
        const std::string& name = tags.name();
        if (name == "project") {
            project_.clear();
            applications_.clear();
        }
        if (name == "/app")
            applications_[name_] = friendly_name_;
        if (name == "/workunit")
            keep_work();
        if (name == "project" || name == "app" || name == "workunit") {
            part_ = name;
            name_.clear();
            friendly_name_.clear();
            work_ = Work();
        } else if (name == "/" + part_) {
            part_.clear();
        } else if (part_ == "project" && name == "project_name") {
            project_ = tags.text();
        } else if (part_ == "app" && name == "user_friendly_name") {
            friendly_name_ = tags.text();
        } else if (part_ == "workunit" && name == "app_name") {
            work_.app_name = tags.text();
        } else if (part_ == "workunit" && name == "rsc_memory_bound") {
            work_.bound_bytes = bytes(tags.text());
        } else if (!part_.empty() && name == "name" && name_.empty()) {
            name_ = tags.text();
        }
    }

    void keep_work() {
        Work& work = works_[name_];
        // Two projects may use the same name.
        work_.bound_bytes = std::max(work.bound_bytes, work_.bound_bytes);
        if (const auto application = applications_.find(work_.app_name); application != applications_.end())
            work_.application = application->second;
        work_.project = project_;
        work = std::move(work_);
    }

    Works works_;
    std::map<std::string, std::string> applications_;
    std::string project_;
    std::string part_;  // the element of the state; empty: another one
    std::string name_;
    std::string friendly_name_;
    Work work_;
};

}  // namespace

Result<Works> parse_works(std::string_view reply) {
    auto found = open_reply(reply, "client_state");
    if (!found)
        return std::move(found).error();
    return WorksReader().read(*found);
}

Result<Preferences> parse_preferences(std::string_view reply) {
    const auto found = open_reply(reply, "global_preferences");
    if (!found)
        return found.error();
    const auto child = [&](const char* name) { return child_text(*found, "/global_preferences", name); };
    Preferences preferences;
    preferences.busy_percent = number(child("ram_max_used_busy_pct"), Preferences::min_percent, 100, preferences.busy_percent);
    preferences.idle_percent = number(child("ram_max_used_idle_pct"), Preferences::min_percent, 100, preferences.idle_percent);
    preferences.leave_in_memory = integer(child("leave_apps_in_memory"), 0) != 0;
    return preferences;
}

Result<double> parse_swap_percent(std::string_view reply) {
    constexpr double usual = 100;  // of the clients that have the limit
    const auto found = open_reply(reply, "global_preferences");
    if (!found)
        return found.error();
    return number(child_text(*found, "/global_preferences", "vm_max_used_pct"), 0, 100, usual);
}

}  // namespace tmm::boinc
