// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/files/task_processes.hpp"

#include <string>
#include <utility>

#include "boinc-adapter/discovery/process_tree.hpp"

namespace tmm::boinc {

MeasuredTask measure(const RootDir& root, const Task& task, const Works& works) {
    MeasuredTask measured;
    measured.task = task;
    if (const auto work = works.find(task.work_name); work != works.end()) {
        measured.project = work->second.project;
        measured.application = work->second.application.empty() ? work->second.app_name : work->second.application;
        measured.app_name = work->second.app_name;
        measured.bound_bytes = work->second.bound_bytes;
    }
    const ProcessState state = task.active ? task.active->state : ProcessState::none;
    if (state != ProcessState::executing && state != ProcessState::suspended && state != ProcessState::quitting)
        return measured;
    measured.resident_bytes = task.active->resident_bytes;
    measured.is_outside = is_out_of_reach(task.plan_class);
    if (const auto tree = measure_task(root, task.active->pid, task.active->slot)) {
        measured.is_measured = true;
        measured.resident_bytes = tree->resident_bytes;
        measured.swap_bytes = tree->swap_bytes;
        measured.processor = tree->processor;
        measured.start_ticks = tree->start_ticks;
        measured.is_transparent = tree->is_transparent;
        measured.is_outside = measured.is_outside || !tree->is_transparent;
    }
    return measured;
}

Look look_at_processes(const RootDir& root, std::optional<pid_t> client, bool is_frozen, const std::vector<MeasuredTask>& tasks) {
    Look look{{client, is_frozen, {}, {}}, true};
    if (client) {
        const std::string process = std::to_string(*client);
        auto children = root.read_file("proc/" + process + "/task/" + process + "/children");
        look.sees_all = children.has_value();
        if (children)
            look.sight.children = *std::move(children);
    }
    for (const MeasuredTask& measured : tasks) {
        if (!measured.is_measured) {
            // Only the client can tell how it grows.
            look.sees_all = look.sees_all && !(measured.task.active && measured.task.active->state == ProcessState::executing);
            continue;
        }
        const auto tree = measure_task(root, measured.task.active->pid, measured.task.active->slot);
        look.sight.sizes.push_back(tree ? std::optional(Sight::Size{tree->resident_bytes, tree->swap_bytes}) : std::nullopt);
    }
    return look;
}

}  // namespace tmm::boinc
