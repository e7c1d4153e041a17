// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/rpc/replies.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <optional>

#include "base/units.hpp"
#include "base/utf8.hpp"
#include "boinc-adapter/rpc/xml.hpp"

namespace tmm::boinc {

namespace {

using pugi::xml_node;
using Seconds = std::chrono::duration<double>;

constexpr unsigned reply_options = pugi::parse_minimal | pugi::parse_escapes | pugi::parse_cdata;

// Parses a whole reply and checks that it has the element `wanted`.
Result<xml_node> open_reply(std::string_view text, pugi::xml_document& document, const char* wanted) {
    auto parsed = parse_xml(text, document, reply_options);
    if (!parsed)
        return std::move(parsed).error();
    const xml_node reply = document.child("boinc_gui_rpc_reply");
    if (!reply)
        return Error(EPROTO, "no reply of a BOINC client");
    if (reply.child("unauthorized"))
        return Error(EACCES, "the client wants another password");
    const xml_node found = reply.child(wanted);
    if (found)
        return found;
    if (const xml_node error = reply.child("error"))
        return Error(EINVAL, "the client reports: " + printable(trim(error.child_value())));
    return Error(EPROTO, std::string("a reply without <") + wanted + ">");
}

// The client writes numbers by printf: "1e+10", "-nan" and "inf" may occur. A value outside of the range becomes its nearest
// bound.
double number(xml_node parent, const char* name, double min, double max, double otherwise) {
    const auto value = parse_double(parent.child_value(name));
    return value ? std::clamp(*value, min, max) : otherwise;
}

std::uint64_t bytes(xml_node parent, const char* name) {
    constexpr double max_bytes = 1e18;
    return static_cast<std::uint64_t>(number(parent, name, 0, max_bytes, 0));
}

int integer(xml_node parent, const char* name, int otherwise) {
    return static_cast<int>(number(parent, name, std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), otherwise));
}

Seconds seconds(xml_node parent, const char* name) {
    return Seconds(number(parent, name, 0, 1e12, 0));
}

// <tag/> and <tag>1</tag> mean true.
bool flag(xml_node parent, const char* name) {
    const xml_node found = parent.child(name);
    return found && trim(found.child_value()) != "0";
}

std::string text(xml_node parent, const char* name) {
    return std::string(trim(parent.child_value(name)));
}

ActiveTask active_of(xml_node node) {
    ActiveTask active;
    active.state = static_cast<ProcessState>(integer(node, "active_task_state", 0));
    active.slot = integer(node, "slot", -1);
    active.pid = integer(node, "pid", 0);
    active.checkpoint_cpu = seconds(node, "checkpoint_cpu_time");
    active.current_cpu = seconds(node, "current_cpu_time");
    active.fraction_done = number(node, "fraction_done", 0, 1, 0);
    active.resident_bytes = bytes(node, "working_set_size");
    active.smoothed_bytes = bytes(node, "working_set_size_smoothed");
    active.too_large = flag(node, "too_large");
    return active;
}

Task task_of(xml_node node) {
    // RESULT_FILES_DOWNLOADED and further states of the client
    constexpr int downloaded = 2;
    constexpr int uploading = 4;
    constexpr int uploaded = 5;
    constexpr int aborted = 6;
    Task task;
    task.id = {text(node, "project_url"), text(node, "name")};
    task.work_name = text(node, "wu_name");
    task.plan_class = text(node, "plan_class");
    // For people, such as "0.1 CPUs + 1 NVIDIA GPU"; the client tells it of tasks that it runs or has run.
    task.uses_gpu = text(node, "resources").find("GPU") != std::string::npos;
    const int state = integer(node, "state", 0);
    task.is_unfinished = state >= 0 && state <= downloaded;
    task.is_aborted = state == aborted;
    task.is_success = state == uploading || state == uploaded;
    task.final_cpu = seconds(node, "final_cpu_time");
    task.suspended_by_gui = flag(node, "suspended_via_gui");
    task.project_suspended_by_gui = flag(node, "project_suspended_via_gui");
    if (const xml_node active = node.child("active_task"))
        task.active = active_of(active);
    return task;
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
    pugi::xml_document document;
    auto found = open_reply(reply, document, "success");
    if (!found)
        return std::move(found).error();
    return {};
}

Result<void> parse_authorized(std::string_view reply) {
    pugi::xml_document document;
    auto found = open_reply(reply, document, "authorized");
    if (!found)
        return std::move(found).error();
    return {};
}

Result<std::string> parse_nonce(std::string_view reply) {
    pugi::xml_document document;
    auto found = open_reply(reply, document, "nonce");
    if (!found)
        return std::move(found).error();
    return std::string(trim(found->child_value()));
}

Result<Version> parse_version(std::string_view reply) {
    pugi::xml_document document;
    auto found = open_reply(reply, document, "server_version");
    if (!found)
        return std::move(found).error();
    return Version{integer(*found, "major", 0), integer(*found, "minor", 0), integer(*found, "release", 0)};
}

Result<std::vector<Task>> parse_tasks(std::string_view reply) {
    pugi::xml_document document;
    auto found = open_reply(reply, document, "results");
    if (!found)
        return std::move(found).error();
    std::vector<Task> tasks;
    for (const xml_node node : found->children("result")) {
        Task task = task_of(node);
        // Without these two, no request can name it.
        if (!task.id.project_url.empty() && !task.id.name.empty())
            tasks.push_back(std::move(task));
    }
    return tasks;
}

Result<ModeStatus> parse_mode(std::string_view reply) {
    pugi::xml_document document;
    auto found = open_reply(reply, document, "cc_status");
    if (!found)
        return std::move(found).error();
    ModeStatus mode;
    mode.current = mode_of(integer(*found, "task_mode", 2));
    mode.permanent = mode_of(integer(*found, "task_mode_perm", 2));
    mode.delay = seconds(*found, "task_mode_delay");
    return mode;
}

Result<std::uint64_t> parse_memory_bytes(std::string_view reply) {
    pugi::xml_document document;
    auto found = open_reply(reply, document, "host_info");
    if (!found)
        return std::move(found).error();
    const std::uint64_t memory = bytes(*found, "m_nbytes");
    if (memory == 0)
        return Error(EPROTO, "the client does not tell the machine's memory");
    return memory;
}

Result<Works> parse_works(std::string_view reply) {
    pugi::xml_document document;
    auto found = open_reply(reply, document, "client_state");
    if (!found)
        return std::move(found).error();
    Works works;
    // Each project comes before its applications, and they before their works.
    std::string project;
    std::map<std::string, std::string> applications;
    for (const xml_node node : found->children()) {
        const std::string_view kind = node.name();
        if (kind == "project") {
            project = text(node, "project_name");
            applications.clear();
        } else if (kind == "app") {
            applications[text(node, "name")] = text(node, "user_friendly_name");
        }
        if (kind != "workunit")
            continue;
        Work& work = works[text(node, "name")];
        work.app_name = text(node, "app_name");
        work.application = applications[work.app_name];
        work.project = project;
        // Two projects may use the same name.
        work.bound_bytes = std::max(work.bound_bytes, bytes(node, "rsc_memory_bound"));
    }
    return works;
}

Result<Preferences> parse_preferences(std::string_view reply) {
    pugi::xml_document document;
    auto found = open_reply(reply, document, "global_preferences");
    if (!found)
        return std::move(found).error();
    Preferences preferences;
    preferences.busy_percent = number(*found, "ram_max_used_busy_pct", 0, 100, preferences.busy_percent);
    preferences.idle_percent = number(*found, "ram_max_used_idle_pct", 0, 100, preferences.idle_percent);
    preferences.leave_in_memory = flag(*found, "leave_apps_in_memory");
    return preferences;
}

}  // namespace tmm::boinc
