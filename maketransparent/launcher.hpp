// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Launcher: the four actions of maketransparent. Each prints its messages to stderr and returns the exit status.
// Not thread-safe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/log/log.hpp"
#include "base/root_dir.hpp"
#include "maketransparent/options.hpp"
#include "maketransparent/placement.hpp"
#include "maketransparent/process/candidates.hpp"

namespace tmm {

// The exit statuses of env(1).
inline constexpr int exit_own_error = 125;
inline constexpr int exit_cannot_run = 126;
inline constexpr int exit_not_found = 127;

class Launcher {
public:
    // root: "/". All three must outlive the Launcher.
    Launcher(const RootDir& root, const Log& log, Placement& placement) : root_(root), log_(log), placement_(placement) {}

    // Turns this process into a contribution and executes the command. Returns only after a failure, or with dry_run.
    int run(const Options& options);
    // Moves running processes into a new contribution. Tries each of them.
    int mark(const Options& options);
    // Prints the table of contributions to stdout.
    int list();
    // Makes the processes of contributions ordinary again. Tries each target.
    int release(const Options& options);

private:
    // Selects the processes that may be marked and are opaque; logs a message for each other one.
    // failed: set to true if one of them is an error.
    std::vector<Candidate> opaque_candidates(const std::vector<pid_t>& pids, bool& failed) const;
    // Returns the directory in /proc of a candidate; none if it was not moved or has ended. number: of it in both lists.
    [[nodiscard]] std::optional<RootDir> moved_process(const PlacementResult& placed, const std::vector<Candidate>& candidates,
                                                       std::size_t number) const;
    // Logs one line for each process and the warnings. done: the rest of the sentence for a moved process.
    // Returns the exit status; failed: whether something failed before.
    int report(const PlacementResult& placed, const std::vector<Candidate>& candidates, const std::string& done,
               bool failed) const;

    const RootDir& root_;
    const Log& log_;
    Placement& placement_;
};

}  // namespace tmm
