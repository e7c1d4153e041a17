// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/tasks/measured_task.hpp"

#include <algorithm>

namespace tmm::boinc {

TaskFacts facts_of(const MeasuredTask& measured) {
    const Task& task = measured.task;
    TaskFacts facts;
    facts.id = task.id;
    facts.is_unfinished = task.is_unfinished;
    facts.suspended_by_gui = task.suspended_by_gui;
    facts.project_suspended = task.project_suspended_by_gui;
    facts.bound_bytes = measured.bound_bytes;
    facts.uses_gpu = task.uses_gpu;
    if (!measured.app_name.empty())
        facts.app_name = task.id.project_url + " " + measured.app_name;
    if (task.active) {
        facts.state = task.active->state;
        facts.checkpoint_cpu = task.active->checkpoint_cpu;
        facts.current_cpu = task.active->current_cpu;
        facts.address_bytes = task.active->address_bytes;
    }
    if (facts.is_in_memory()) {
        facts.client_bytes = std::max(task.active->resident_bytes, task.active->smoothed_bytes);
        if (measured.is_measured) {
            facts.true_bytes = measured.resident_bytes + measured.swap_bytes;
            facts.processor = measured.processor;
            facts.start_ticks = measured.start_ticks;
        }
        facts.resident_bytes = measured.resident_bytes;
    }
    return facts;
}

}  // namespace tmm::boinc
