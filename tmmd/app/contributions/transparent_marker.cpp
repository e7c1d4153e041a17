// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/contributions/transparent_marker.hpp"

namespace tmm::app {

void TransparentMarker::update() {
    std::string problem;
    auto found = os::find_marked_cgroups(root_);
    if (found) {
        found_ = *std::move(found);
    } else {
        found_ = {};
        problem = found.error().message();
    }
    if (!dry_run_ && root_.exists("sys/kernel/mm/tmm")) {
        for (const std::string& cgroup : found_.transparent) {
            const os::MarkResult mark = os::mark_transparent(root_, cgroup);
            if (mark.newly_marked)
                log_.info("transparent from now on: " + root_.name_of(cgroup));
            if (!mark.problem.empty())
                problem = mark.problem;
        }
    }
    problem_.warn(problem, "; contributions count as the owner's programs until this works again");
}

}  // namespace tmm::app
