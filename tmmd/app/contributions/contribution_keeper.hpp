// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ContributionKeeper: discovers the transparent cgroups, marks them in the kernel, and holds or releases the contributions in
// them. It logs each problem once. Called from one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log/log.hpp"
#include "base/log/problem_log.hpp"
#include "base/root_dir.hpp"
#include "tmmd/app/contributions/contributions.hpp"
#include "tmmd/app/contributions/transparent_marker.hpp"
#include "tmmd/os/cgroup/evictor.hpp"

namespace tmm::app {

class ContributionKeeper {
public:
    // root and log must outlive it. dry_run: mark, hold and evict nothing.
    ContributionKeeper(const RootDir& root, const Log& log, std::unique_ptr<os::Evictor> evictor, bool dry_run)
        : root_(root),
          marker_(root, log, dry_run),
          evictor_(std::move(evictor)),
          contributions_(root, log, *evictor_, dry_run),
          evict_problem_(log) {}

    // Discovers cgroups and contributions. The cost grows with the number of cgroups.
    void discover() {
        marker_.update();
        contributions_.update(marker_.cgroups());
    }

    // Discovers them if the number of cgroups has changed, and every half minute. Call it at each tick: an epoch may last for
    // minutes, and a contribution that starts meanwhile must not count as opaque. Returns whether it discovered them.
    bool follow(core::AwakeTime now);

    // Applies a hold, or its end, and has contributions evicted. Call it after each step. During a hold it discovers new
    // contributions every few seconds: none should run for a whole idle epoch.
    void tick(const core::GivingDecision& given, core::AwakeTime now);

    // The topmost transparent cgroups as last discovered, below the root directory.
    [[nodiscard]] const std::vector<std::string>& cgroups() const { return marker_.cgroups(); }
    // As of core::EpochSample.
    [[nodiscard]] const std::vector<core::CgroupId>& uncounted() const { return marker_.uncounted(); }
    [[nodiscard]] Contributions& contributions() { return contributions_; }
    [[nodiscard]] const Contributions& contributions() const { return contributions_; }

private:
    void evict(const core::GivingDecision& given);

    const RootDir& root_;
    TransparentMarker marker_;
    std::unique_ptr<os::Evictor> evictor_;
    Contributions contributions_;
    ProblemLog evict_problem_;
    std::optional<core::AwakeTime> last_held_discovery_;
    std::optional<core::AwakeTime> last_discovery_;  // by follow()
    std::uint64_t nr_cgroups_ = 0;                   // at that time
};

}  // namespace tmm::app
