// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Placement: where contributions live. Its two implementations use scopes of systemd or sub-cgroups of a directory.
// The main thread calls it; implementations are not thread-safe.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace tmm {

struct Contribution {
    std::string name;
    std::string cgroup;                         // its directory
    std::vector<pid_t> pids;                    // in the cgroup and all below it, sorted
    std::optional<std::uint64_t> memory_bytes;  // empty without a memory controller
    bool foreign = false;                       // a unit of systemd that maketransparent did not start
};

struct MoveResult {
    pid_t pid = 0;
    std::optional<Error> failure;  // empty if the process was moved
};

struct PlacementResult {
    std::string cgroup;                 // empty if no process was moved
    std::vector<MoveResult> processes;  // in the order of the request
    std::vector<std::string> warnings;
};

class Placement {
public:
    Placement() = default;
    Placement(const Placement&) = delete;
    Placement& operator=(const Placement&) = delete;
    virtual ~Placement() = default;

    // Moves processes into a new contribution.
    // name: a valid name. pids: at least one; 0 for the caller. Error: none was moved.
    virtual Result<PlacementResult> contribute(const std::string& name, const std::vector<pid_t>& pids) = 0;

    // Moves processes out of their contributions, to ordinary cgroups. Parameters and errors as above.
    virtual Result<PlacementResult> release(const std::string& name, const std::vector<pid_t>& pids) = 0;

    // Lists the contributions that have processes. Empty if there is none yet.
    virtual Result<std::vector<Contribution>> list() = 0;

    // Describes the place of a new contribution for --dry-run: "a new scope ..." or "a new cgroup ...".
    [[nodiscard]] virtual std::string describe(const std::string& name) const = 0;
};

}  // namespace tmm
