// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ResumedTasks: tells which suspended tasks are so because their client forgot that TMM had resumed them. A client writes its
// state some seconds after a change; if it is killed before, it starts with the task suspended again.
//
// Pure. Not thread-safe.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "boinc-adapter/policy/facts.hpp"

namespace tmm::boinc {

class ResumedTasks {
public:
    // TMM resumed the task.
    void add(const TaskId& task) { unsaved_[task].reset(); }

    // Takes the facts of a turn, after was_forgotten() was asked for its tasks.
    void observe(const Facts& facts);

    // The client is lost. saved: as in Facts, after its end.
    void client_restarted(const FileMark& saved);

    [[nodiscard]] bool was_forgotten(const TaskFacts& task) const {
        return task.suspended_by_gui && forgotten_.contains(task.id);
    }

private:
    // Until the client has saved that they run: its file in the first turn that saw them run. none: no turn has seen it.
    std::map<TaskId, std::optional<FileMark>> unsaved_;
    std::set<TaskId> forgotten_;  // by a client that has told nothing since
};

}  // namespace tmm::boinc
