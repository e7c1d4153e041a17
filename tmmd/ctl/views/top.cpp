// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/views/top.hpp"

#include <algorithm>
#include <iterator>

#include "base/text/utf8.hpp"
#include "base/units.hpp"
#include "tmmd/ctl/views/status.hpp"

namespace tmm::ctl {

namespace {

// Biggest first; equal ones by their ids, so that the order is stable.
std::vector<Process> biggest(const std::vector<Process>& processes, bool transparent, std::size_t max) {
    std::vector<Process> chosen;
    std::copy_if(processes.begin(), processes.end(), std::back_inserter(chosen),
                 [&](const Process& process) { return process.transparent == transparent; });
    std::sort(chosen.begin(), chosen.end(), [](const Process& a, const Process& b) {
        return a.memory_bytes != b.memory_bytes ? a.memory_bytes > b.memory_bytes : a.pid < b.pid;
    });
    chosen.resize(std::min(chosen.size(), max));
    return chosen;
}

std::string format_processes(const std::string& title, const std::vector<Process>& processes, const Screen& screen) {
    Table table({{title, Table::Kind::shrinks},
                 {"PID", Table::Kind::number},
                 {"USER", Table::Kind::shrinks},
                 {"MEMORY", Table::Kind::number}});
    for (const Process& process : processes) {
        table.add({process.command, std::to_string(process.pid), user_name(process.user), format_bytes(process.memory_bytes)});
    }
    return "\n" + table.format(screen);
}

std::string processes_json(const std::vector<Process>& processes) {
    std::vector<std::string> objects;
    for (const Process& process : processes) {
        JsonObject object;
        object.count("pid", process.pid).count("user_id", process.user).text("user", user_name(process.user));
        objects.push_back(object.text("command", process.command).count("memory_bytes", process.memory_bytes).str());
    }
    return json_array(objects);
}

}  // namespace

std::string format_top(const wire::Status& status, const std::vector<wire::Contribution>& contributions,
                       const std::vector<Process>& processes, std::time_t now, const Screen& screen) {
    const std::size_t sentence = columns_of(printable(state_sentence(status, now) + ": " + status.reason));
    // The bar, three titles, three blank lines, and the sentence, which may take several lines.
    const std::size_t own_lines = 8 + (screen.width > 0 ? (sentence - 1) / screen.width : 0);
    const std::size_t room = screen.height > own_lines ? screen.height - own_lines : 0;
    std::vector<wire::Contribution> shown = contributions;
    std::size_t max = max_processes;
    if (screen.height > 0) {
        std::sort(shown.begin(), shown.end(), [](const auto& a, const auto& b) { return a.memory_bytes > b.memory_bytes; });
        shown.resize(std::min(shown.size(), std::max<std::size_t>(room / 3, 1)));
        max = std::max<std::size_t>((room - std::min(room, shown.size())) / 2, 1);
    }
    std::string text = format_summary(status, now, screen);
    if (!shown.empty())
        text += "\n" + format_contributions(shown, screen);
    text += format_processes("OPAQUE PROCESS", biggest(processes, false, max), screen);
    const auto transparent = biggest(processes, true, max);
    return text + (transparent.empty() ? "" : format_processes("TRANSPARENT PROCESS", transparent, screen));
}

std::string top_json(const wire::Status& status, const std::vector<wire::Contribution>& contributions,
                     const std::vector<Process>& processes) {
    JsonObject object;
    object.add("status", status_json(status).str()).add("contributions", contributions_json(contributions));
    object.add("opaque_processes", processes_json(biggest(processes, false, max_processes)));
    object.add("transparent_processes", processes_json(biggest(processes, true, max_processes)));
    return object.str() + "\n";
}

}  // namespace tmm::ctl
