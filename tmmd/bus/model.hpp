// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Model: what the bus needs of the daemon, in the units of dbus/*.xml: bytes, microseconds of CLOCK_REALTIME, shares. app/
// implements it on its parts, tests with a few lines. Called from one thread, at any time between two ticks; nothing blocks.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "tmmd/core/giving/owner_command.hpp"

namespace tmm::bus {

inline constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
inline constexpr double unknown_share = std::numeric_limits<double>::quiet_NaN();

// The owner's conditions; the defaults are none at all.
struct Caps {
    std::uint64_t max_bytes = no_limit;
    double max_percent = 100;  // of all memory
    bool only_when_idle = false;
    bool only_on_mains = false;
    std::string quiet_hours;  // "HH:MM-HH:MM", or empty
    bool operator==(const Caps&) const = default;
};

struct Status {
    std::string state = "trouble";
    std::string reason;
    std::uint64_t paused_until_us = 0;
    std::uint64_t total_bytes = 0;
    std::uint64_t opaque_bytes = 0;
    std::uint64_t transparent_bytes = 0;
    std::uint64_t soft_bytes = 0;
    std::uint64_t free_bytes = 0;
    std::uint64_t opaque_limit_bytes = no_limit;
    std::uint64_t transparent_limit_bytes = no_limit;
    double expected_slowdown = unknown_share;
    double measured_stall = unknown_share;
    std::uint64_t last_return_faults = 0;
    Caps caps;
    std::string source = "none";
    std::string source_reason;
    double given_byte_seconds = 0;
};

struct HistoryRow {
    std::uint64_t start_us = 0;
    std::uint64_t measured_s = 0;
    std::uint64_t opaque_bytes = 0;
    std::uint64_t transparent_bytes = 0;
    std::uint64_t soft_bytes = 0;
    std::uint64_t free_bytes = 0;
    std::uint64_t opaque_limit_bytes = 0;
    std::uint64_t transparent_limit_bytes = 0;
    double stall = unknown_share;
    std::uint64_t return_faults = 0;
};

struct DecisionEntry {
    std::uint64_t first_us = 0;
    std::uint64_t last_us = 0;
    std::uint32_t count = 0;
    std::string kind;
    std::string reason;
};

enum class Resolution { minutes, hours, days };

using ContributionId = std::uint64_t;  // never used again

inline constexpr std::uint32_t default_weight = 100;

struct Contribution {
    ContributionId id = 0;
    uid_t user = 0;
    std::string name;  // private: for the same user, root and whom polkit allows
    std::uint64_t memory_bytes = 0;
    std::string state = "running";
    std::uint32_t weight = default_weight;
};

inline constexpr std::size_t max_pids = 1024;

struct ContributionPids {
    std::vector<std::uint32_t> pids;  // at most max_pids
    bool truncated = false;
};

enum class Steering { pause, resume, stop };

// Codes of errors, and what they become on the bus: EINVAL InvalidArgument, EUSERS TooMany, ENXIO NotTransparent, ENOENT and
// ESRCH Vanished, all others Failed.
class Model {
public:
    virtual ~Model() = default;

    [[nodiscard]] virtual Status status() = 0;
    [[nodiscard]] virtual std::vector<HistoryRow> history(Resolution resolution) = 0;  // oldest first
    [[nodiscard]] virtual std::vector<DecisionEntry> decisions(std::size_t most) = 0;  // newest first

    // Takes effect before the call returns. Error: it takes effect all the same, but could not be saved.
    virtual Result<void> apply_command(const core::OwnerCommand& command) = 0;

    // Oldest first; bounded.
    [[nodiscard]] virtual std::vector<Contribution> contributions() = 0;
    virtual Result<ContributionPids> pids(ContributionId id) = 0;
    virtual Result<void> steer(ContributionId id, Steering what) = 0;
    virtual Result<void> set_weight(ContributionId id, std::uint32_t weight) = 0;  // weight in [1, 10000]

    // Names the contribution that the process is in. user: who asks; the process and the cgroup must be theirs.
    virtual Result<ContributionId> register_contribution(pid_t pid, uid_t user, const std::string& name) = 0;
};

}  // namespace tmm::bus
