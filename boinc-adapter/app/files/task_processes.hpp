// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The processes of the client and its tasks, as /proc shows them. root: "/".
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

#include "base/root_dir.hpp"
#include "boinc-adapter/policy/donation/pace.hpp"
#include "boinc-adapter/policy/tasks/measured_task.hpp"

namespace tmm::boinc {

// Adds to a task what its processes show. works: may lack it.
MeasuredTask measure(const RootDir& root, const Task& task, const Works& works);

struct Look {
    Sight sight;
    bool sees_all = true;  // else only the client can tell how its tasks grow
};

// Looks at the client, and at tasks that were measured before.
Look look_at_processes(const RootDir& root, std::optional<pid_t> client, bool is_frozen, const std::vector<MeasuredTask>& tasks);

}  // namespace tmm::boinc
