// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Launcher: the four things that maketransparent does, with messages to stderr. Each returns the program's exit status.
#pragma once

#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/root_dir.hpp"
#include "maketransparent/candidates.hpp"
#include "maketransparent/options.hpp"
#include "maketransparent/placement.hpp"

namespace tmm {

// As env(1).
inline constexpr int exit_own_error = 125;
inline constexpr int exit_cannot_run = 126;
inline constexpr int exit_not_found = 127;

class Launcher {
public:
    // root: "/". All must outlive this.
    Launcher(const RootDir& root, const Log& log, Placement& placement) : root_(root), log_(log), placement_(placement) {}

    // Returns only if the command could not be run, or with dry_run.
    int run(const Options& options);
    int mark(const Options& options);
    int list();
    int release(const Options& options);

private:
    // Candidates that may be marked and are opaque; notes and errors about the others. Sets failed for errors.
    std::vector<Candidate> opaque_candidates(const std::vector<pid_t>& pids, bool& failed) const;
    int report(const Placed& placed, const std::vector<Candidate>& candidates, const std::string& done, bool failed) const;

    const RootDir& root_;
    const Log& log_;
    Placement& placement_;
};

}  // namespace tmm
