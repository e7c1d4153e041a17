// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Placement: where contributions live. Two ways: scopes of systemd, or sub-cgroups of a directory. Called from main's one thread.
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
    std::vector<pid_t> pids;                    // of the cgroup and all below it, sorted
    std::optional<std::uint64_t> memory_bytes;  // none without a memory controller
    bool foreign = false;                       // a unit of systemd that maketransparent did not start
};

struct Moved {
    pid_t pid = 0;
    std::optional<Error> failure;
};

struct Placed {
    std::string cgroup;  // empty where nothing could be moved
    std::vector<Moved> processes;
    std::vector<std::string> warnings;
};

class Placement {
public:
    Placement() = default;
    Placement(const Placement&) = delete;
    Placement& operator=(const Placement&) = delete;
    virtual ~Placement() = default;

    // Moves processes into a new contribution. An error means that none was moved.
    virtual Result<Placed> contribute(const std::string& name, const std::vector<pid_t>& pids) = 0;

    // Moves processes of contributions to where ordinary ones live.
    virtual Result<Placed> release(const std::string& name, const std::vector<pid_t>& pids) = 0;

    virtual Result<std::vector<Contribution>> list() = 0;

    // For --dry-run: "a new scope ..." or "a new cgroup ..."
    [[nodiscard]] virtual std::string describe(const std::string& name) const = 0;
};

}  // namespace tmm
