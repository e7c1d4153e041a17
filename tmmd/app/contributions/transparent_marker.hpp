// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// TransparentMarker: finds the cgroups with marks, and marks the topmost transparent ones in the kernel. Called from one thread.
#pragma once

#include <string>
#include <vector>

#include "base/log/log.hpp"
#include "base/log/problem_log.hpp"
#include "base/root_dir.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"

namespace tmm::app {

class TransparentMarker {
public:
    // root and log must outlive it. dry_run: mark none.
    TransparentMarker(const RootDir& root, const Log& log, bool dry_run)
        : root_(root), log_(log), dry_run_(dry_run), problem_(log) {}

    // Finds the cgroups again and marks those without a mark. It logs a problem once.
    void update();

    // The topmost transparent cgroups, below the root directory, as of the last update().
    [[nodiscard]] const std::vector<std::string>& cgroups() const { return found_.transparent; }
    // Those that do not count as needed, as of the last update(); rising.
    [[nodiscard]] const std::vector<core::CgroupId>& uncounted() const { return found_.uncounted; }

private:
    const RootDir& root_;
    const Log& log_;
    bool dry_run_;
    os::MarkedCgroups found_;
    ProblemLog problem_;
};

}  // namespace tmm::app
