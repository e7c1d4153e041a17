// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Contributions: all that run, by number, and what was asked of them: held together, or paused and stopped one by one. The memory
// of those that are paused is evicted. Problems are logged once. Called from one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "base/problem_log.hpp"
#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/app/contributions/contribution_info.hpp"
#include "tmmd/core/giving/giving.hpp"
#include "tmmd/core/moment.hpp"
#include "tmmd/os/cgroup/contribution.hpp"
#include "tmmd/os/cgroup/evictor.hpp"

namespace tmm::app {

class Contributions {
public:
    // One user's cannot hide another's.
    static constexpr std::size_t max_per_user = 64;
    static constexpr std::size_t max_total = 512;
    // Between SIGTERM and SIGKILL.
    static constexpr std::chrono::seconds grace{10};

    // root, log and evictor must outlive it. dry_run: change nothing.
    Contributions(const RootDir& root, const Log& log, os::Evictor& evictor, bool dry_run)
        : root_(root), evictor_(evictor), dry_run_(dry_run), problem_(log) {}

    // What there is now, below the topmost transparent cgroups.
    void update(const std::vector<std::string>& transparent_cgroups);

    // Kills what was to stop by now and has not.
    void tick(core::AwakeTime now);

    // All of them, and those that begin meanwhile, stand still until they are released. May be asked again and again.
    void hold(core::Hold hold);

    // Thaws all, for a daemon that ends; a later one goes on with the pauses.
    void release_all();
    // The same after a daemon that could not: it was killed. Error: of the last that could not be thawed.
    static Result<void> release_left_behind(const RootDir& root);

    // Both as of the last look.
    [[nodiscard]] bool any() const { return !entries_.empty(); }
    [[nodiscard]] std::vector<ContributionInfo> list() const;
    // Bounded; empty for a number that is not known.
    [[nodiscard]] std::vector<pid_t> processes(std::uint64_t id) const;
    // The contribution that a process is in, by its entry in /proc. The caller sees to it that the process lives.
    [[nodiscard]] std::optional<std::uint64_t> find_by_process(pid_t pid) const;

    // Error: ENOENT for a number that is not known, else what went wrong. rename: shown as it is, so it must have been checked.
    Result<void> rename(std::uint64_t id, const std::string& name);
    Result<void> pause(std::uint64_t id);
    Result<void> resume(std::uint64_t id);
    Result<void> stop(std::uint64_t id, core::AwakeTime now);
    Result<void> set_weight(std::uint64_t id, unsigned weight);

private:
    struct Entry {
        os::Contribution contribution;
        std::string name;
        uid_t owner = 0;
        bool paused = false;
        std::optional<core::AwakeTime> kill_at;  // while it stops
    };

    void take_over(std::map<std::uint64_t, Entry>& entries, const std::string& cgroup, std::map<uid_t, std::size_t>& of_users);
    [[nodiscard]] Result<Entry*> find(std::uint64_t id);
    [[nodiscard]] bool is_top(const std::string& cgroup) const;
    [[nodiscard]] Result<void> apply(Entry& entry);
    [[nodiscard]] Result<void> freeze(os::Contribution& contribution, os::FreezeReason reason);
    [[nodiscard]] Result<void> thaw(os::Contribution& contribution);
    void apply_all();

    const RootDir& root_;
    os::Evictor& evictor_;
    bool dry_run_;
    core::Hold hold_ = core::Hold::none;
    std::map<std::uint64_t, Entry> entries_;
    std::vector<std::string> tops_;                     // the topmost transparent cgroups
    std::map<std::uint64_t, os::Contribution> slices_;  // those that are no contribution themselves
    std::set<std::uint64_t> evicted_;                   // those whose eviction was asked for
    ProblemLog problem_;
};

}  // namespace tmm::app
