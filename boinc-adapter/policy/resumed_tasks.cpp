// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/resumed_tasks.hpp"

#include <utility>

namespace tmm::boinc {

void ResumedTasks::observe(const Facts& facts) {
    std::map<TaskId, std::optional<FileMark>> unsaved;
    for (const TaskFacts& task : facts.tasks) {
        const auto found = unsaved_.find(task.id);
        // Suspended by the client that carried out the order, it is so by its user.
        if (found == unsaved_.end() || task.suspended_by_gui)
            continue;
        // All that the client saves after it has told that the task runs includes this.
        const FileMark mark = found->second.value_or(facts.saved);
        if (mark == facts.saved && mark != FileMark())
            unsaved[task.id] = mark;
    }
    unsaved_ = std::move(unsaved);
    forgotten_.clear();
}

void ResumedTasks::client_restarted(const FileMark& saved) {
    for (const auto& [task, mark] : unsaved_) {
        if (mark.value_or(saved) == saved)
            forgotten_.insert(task);
    }
    unsaved_.clear();
}

}  // namespace tmm::boinc
