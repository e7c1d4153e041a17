// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/contributions/contribution_keeper.hpp"

#include "base/text/proc_text.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::app {

namespace {

constexpr core::Seconds held_discovery_interval{5};
constexpr core::Seconds discovery_interval{30};

// Returns 0 if it is not known.
std::uint64_t count_cgroups(const RootDir& root) {
    const auto text = root.read_file(std::string(os::cgroup_mount) + "/cgroup.stat");
    const auto count = text ? parse_stat(*text, "nr_descendants") : Result<std::uint64_t>(text.error());
    return count ? *count : 0;
}

}  // namespace

bool ContributionKeeper::follow(core::AwakeTime now) {
    const std::uint64_t nr_cgroups = count_cgroups(root_);
    if (last_discovery_ && nr_cgroups == nr_cgroups_ && now - *last_discovery_ < discovery_interval)
        return false;
    last_discovery_ = now;
    nr_cgroups_ = nr_cgroups;
    discover();
    return true;
}

void ContributionKeeper::tick(const core::GivingDecision& given, core::AwakeTime now) {
    contributions_.hold(given.hold);
    contributions_.tick(now);
    evict(given);
    if (given.hold == core::Hold::none)
        return;
    if (last_held_discovery_ && now - *last_held_discovery_ < held_discovery_interval)
        return;
    discover();
    last_held_discovery_ = now;
}

void ContributionKeeper::evict(const core::GivingDecision& given) {
    if (given.evict_gave_up)
        evict_problem_.warn("contributions' memory was not evicted within a minute: their swap hangs or is very slow",
                            "; contributions no longer wait for it");
    if (given.evict == core::Pages(0))
        return;
    const auto evicts = contributions_.evict_held(core::to_bytes(given.evict, os::page_bytes()));
    evict_problem_.warn(evicts ? "" : evicts.error().message());
}

}  // namespace tmm::app
