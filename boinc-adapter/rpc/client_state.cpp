// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/rpc/client_state.hpp"

#include <cerrno>
#include <optional>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"

namespace tmm::boinc {

namespace {

// Returns the text between the tags of a line; nothing: the line is another one.
std::optional<std::string_view> content_of(std::string_view line, std::string_view tag) {
    const std::string open = "<" + std::string(tag) + ">";
    const std::string close = "</" + std::string(tag) + ">";
    if (!line.starts_with(open) || !line.ends_with(close) || line.size() < open.size() + close.size())
        return std::nullopt;
    return line.substr(open.size(), line.size() - open.size() - close.size());
}

}  // namespace

Result<std::string> without_suspensions(std::string_view text, const std::set<TaskId>& tasks) {
    if (!trim(text).starts_with("<client_state>") || !trim(text).ends_with("</client_state>"))
        return Error(EPROTO, "no state of a BOINC client");
    std::string kept;
    kept.reserve(text.size());
    // A task belongs to the project before it. Its suspension may come before its name.
    TaskId task;
    bool is_in_project = false;
    bool is_in_task = false;
    bool is_output = false;
    std::string of_task;
    std::string of_task_without;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::string_view before = rest;
        const std::string_view line = trim(next_line(rest));
        const std::string_view whole = before.substr(0, before.size() - rest.size());
        // The output of a task, whatever it looks like.
        is_output = (is_output || line.starts_with("<![CDATA[")) && !line.ends_with("]]>");
        if (is_output) {
            (is_in_task ? of_task : kept) += whole;
            if (is_in_task)
                of_task_without += whole;
            continue;
        }
        if (line == "<project>") {
            is_in_project = true;
            task.project_url.clear();
        } else if (line == "</project>") {
            is_in_project = false;
        } else if (const auto url = content_of(line, "master_url"); is_in_project && url) {
            task.project_url = *url;
        }
        if (line == "<result>") {
            is_in_task = true;
            task.name.clear();
        }
        if (!is_in_task) {
            kept += whole;
            continue;
        }
        if (const auto name = content_of(line, "name"))
            task.name = *name;
        of_task += whole;
        if (line != "<suspended_via_gui/>")
            of_task_without += whole;
        if (line == "</result>") {
            kept += tasks.contains(task) ? of_task_without : of_task;
            of_task.clear();
            of_task_without.clear();
            is_in_task = false;
        }
    }
    return kept + of_task;
}

}  // namespace tmm::boinc
