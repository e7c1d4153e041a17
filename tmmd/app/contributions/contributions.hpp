// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Contributions: lists all contributions by number, and applies holds, pauses and stops to them. It has the memory of paused ones
// evicted. It logs each problem once. Called from one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/log/log.hpp"
#include "base/log/problem_log.hpp"
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
    // Limits the contributions of one user, so that they cannot displace another user's.
    static constexpr std::size_t max_per_user = 64;
    static constexpr std::size_t max_total = 512;
    // Time between SIGTERM and SIGKILL.
    static constexpr std::chrono::seconds grace{10};

    // root, log and evictor must outlive it. dry_run: change nothing.
    Contributions(const RootDir& root, const Log& log, os::Evictor& evictor, bool dry_run)
        : root_(root), evictor_(evictor), dry_run_(dry_run), problem_(log) {}

    // Discovers the contributions below the topmost transparent cgroups.
    void update(const std::vector<std::string>& transparent_cgroups);

    // Kills each contribution whose time to stop has passed.
    void tick(core::AwakeTime now);

    // Freezes all contributions, and those that begin meanwhile, or thaws them at the end of the hold. Those that are never to be
    // frozen run, and lose their memory if the hold says so. Further calls with the same hold do no harm.
    void hold(core::Hold hold);

    // Has this much memory evicted from contributions that are held, the largest first. Those that a user paused lose theirs
    // anyway. Error: no thread can be started.
    Result<void> evict_held(Bytes bytes);
    // Returns whether that is under way.
    [[nodiscard]] bool evicting() const { return evictor_.evicts_parts(); }

    // Thaws all, because the daemon ends. A later daemon restores the pauses.
    void release_all();
    // Thaws those that a killed daemon left frozen. Error: of the last that could not be thawed.
    static Result<void> release_left_behind(const RootDir& root);

    // Both give the state of the last discovery.
    [[nodiscard]] bool any() const { return !entries_.empty(); }
    [[nodiscard]] std::vector<ContributionInfo> list() const;
    // Bounded to os::Contribution::max_processes; empty for an unknown number.
    [[nodiscard]] std::vector<pid_t> processes(std::uint64_t id) const;
    // Returns the contribution of a process, from its entry in /proc. The caller ensures that the process lives.
    [[nodiscard]] std::optional<std::uint64_t> find_by_process(pid_t pid) const;

    // Error of these: ENOENT for an unknown number, else the reason of the failure. name: shown as it is; the caller has checked
    // it. weight: [1, 10000].
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
        bool never_held_frozen = false;          // as of the last discovery or change of the hold
        std::optional<core::AwakeTime> kill_at;  // while it stops
    };

    void take_over(std::map<std::uint64_t, Entry>& entries, const os::FoundContribution& found,
                   std::map<uid_t, std::size_t>& of_users);
    void let_go(std::uint64_t id, os::Contribution& contribution);
    void leave(os::Contribution& contribution);
    [[nodiscard]] Result<Entry*> find(std::uint64_t id);
    [[nodiscard]] bool is_top(const std::string& cgroup) const;
    [[nodiscard]] Result<void> apply(Entry& entry);
    [[nodiscard]] Result<void> freeze(os::Contribution& contribution, os::FreezeReason reason);
    [[nodiscard]] Result<void> thaw(os::Contribution& contribution);
    [[nodiscard]] Result<void> evict(const os::Contribution& contribution);
    [[nodiscard]] Result<void> let_run(os::Contribution& contribution);
    void read_wishes();
    [[nodiscard]] bool evicts_all(const os::Contribution& contribution) const { return evicted_.contains(contribution.id()); }
    void apply_all();

    const RootDir& root_;
    os::Evictor& evictor_;
    bool dry_run_;
    core::Hold hold_ = core::Hold::none;
    std::map<std::uint64_t, Entry> entries_;
    std::vector<std::string> tops_;                     // the topmost transparent cgroups
    std::map<std::uint64_t, os::Contribution> slices_;  // slices that are no contribution themselves
    std::set<std::string> split_slices_;                // slices with a contribution that is never to be frozen
    std::set<std::uint64_t> evicted_;                   // contributions that the evictor is to evict
    std::set<std::uint64_t> parts_;                     // those of which it is to evict a part, or was
    ProblemLog problem_;
};

}  // namespace tmm::app
