// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Model: the daemon as the bus sees it, in the units of dbus/*.xml (tmmd/wire/types.hpp). app/ implements it. Called from one
// thread, at any time between two ticks; nothing blocks.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "tmmd/core/giving/owner_command.hpp"
#include "tmmd/core/presence_rule.hpp"
#include "tmmd/wire/types.hpp"

namespace tmm::bus {

enum class Resolution { minutes, hours, days };

using ContributionId = std::uint64_t;  // tmmd uses each once

inline constexpr std::uint32_t default_weight = 100;

struct Contribution {
    ContributionId id = 0;
    uid_t user = 0;
    std::string name;  // only the same user, root and those that polkit allows may know it
    std::uint64_t memory_bytes = 0;
    std::string state = "running";
    std::uint32_t weight = default_weight;
    std::uint64_t far_bytes = 0;  // beside memory_bytes
};

inline constexpr std::size_t max_pids = 1024;

struct ContributionPids {
    std::vector<std::uint32_t> pids;  // at most max_pids
    bool truncated = false;
};

enum class Steering { pause, resume, stop };

// Codes of errors and their names on the bus: EINVAL InvalidArgument, EPERM NotAuthorized, EUSERS TooMany, ENXIO NotTransparent,
// ENOENT and ESRCH Vanished, all others Failed.
class Model {
public:
    virtual ~Model() = default;

    [[nodiscard]] virtual wire::Status status() = 0;
    [[nodiscard]] virtual std::vector<wire::HistoryRow> history(Resolution resolution) = 0;  // oldest first
    [[nodiscard]] virtual std::vector<wire::Decision> decisions(std::size_t max) = 0;        // newest first

    [[nodiscard]] virtual std::vector<wire::SoftHeap> soft_heaps() = 0;
    [[nodiscard]] virtual wire::SoftShares soft_shares() = 0;

    // Takes effect before the call returns. Error: it takes effect all the same, but could not be saved; EUSERS: it does not,
    // since there are too many already.
    virtual Result<void> apply_command(const core::OwnerCommand& command) = 0;

    // Oldest first, at most 512.
    [[nodiscard]] virtual std::vector<Contribution> contributions() = 0;
    virtual Result<ContributionPids> pids(ContributionId id) = 0;
    virtual Result<void> steer(ContributionId id, Steering what) = 0;
    virtual Result<void> set_weight(ContributionId id, std::uint32_t weight) = 0;  // weight in [1, 10000]

    // Names the contribution that contains the process and returns its id. user: the caller; the process must be theirs, and the
    // cgroup, too, unless the caller is root. name: as check_name() accepts it.
    virtual Result<ContributionId> register_contribution(pid_t pid, uid_t user, const std::string& name) = 0;

    // The desktops that logind knows now. None: there are none, or logind cannot be asked.
    virtual void see_sessions(const core::DesktopSessions& sessions) = 0;
};

}  // namespace tmm::bus
