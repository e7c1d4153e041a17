// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/limits/contribution_fence.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/core/giving/holds/swap_room.hpp"
#include "tmmd/os/cgroup/contribution.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/os/reading/counters/backing_latency.hpp"

namespace tmm::os {

namespace {

// Returns 0 for a cgroup that has vanished or has no memory controller.
core::Pages pages_or_zero(const RootDir& root, const std::string& path) {
    const auto text = root.read_file(path);
    const auto bytes = text ? parse_uint(trim(*text)) : Result<std::uint64_t>(text.error());
    return bytes ? core::to_pages(Bytes(*bytes), page_bytes()) : core::Pages(0);
}

// Returns the pages that contributions may swap to memory beyond those there; none: any number. Those that may have nothing leave
// memory by this swap alone.
std::optional<core::Pages> swap_growth(const Limits& limits, core::Pages total) {
    if (limits.swap_growth || limits.transparent == core::Pages(0))
        return limits.swap_growth;
    return core::SwapRoom::first_growth(total);
}

}  // namespace

Result<ContributionFence::Swap> ContributionFence::swap() const {
    const auto areas = read_swap_areas(*root_);
    if (!areas)
        return areas.error();
    if (areas->empty())
        return Swap::none;
    // A page goes to zram first where both are there, by the usual priorities.
    const bool in_memory = std::any_of(areas->begin(), areas->end(), [](const SwapArea& area) {
        return !area.is_file && area.path.substr(area.path.rfind('/') + 1).starts_with("zram");
    });
    return in_memory ? Swap::memory : Swap::disk;
}

void ContributionFence::collect(const core::MemoryUsage& usage, const std::vector<core::ContributedPages>& contributed,
                                const Limits& limits, Swap swap, HeldKnobs& knobs) const {
    std::vector<core::Pages> transparent;
    std::vector<std::string> cgroups;
    for (const core::ContributedPages& one : contributed) {
        transparent.push_back(one.all());
        cgroups.push_back(one.path);
    }
    const std::vector<core::Pages> most =
        core::contribution_limits(usage, limits.transparent, core::kept_free(usage.total, swap == Swap::memory), transparent);
    const auto growth = swap_growth(limits, usage.total);
    for (std::size_t i = 0; i < most.size(); ++i) {
        if (swap == Swap::memory && growth)
            knobs.set_at_most(cgroups[i] + "/memory.swap.max",
                              pages_or_zero(*root_, cgroups[i] + "/memory.swap.current") + *growth);
        // These limits count page tables, stacks and the kernel's objects, too. A memory.max below the usage kills.
        const core::Pages unlisted = saturating_sub(pages_or_zero(*root_, cgroups[i] + "/memory.current"), transparent[i]);
        knobs.set_at_most(cgroups[i] + (swap == Swap::none ? "/memory.max" : "/memory.high"), most[i] + unlisted);
    }
    if (swap != Swap::none)
        return;
    // Not of the slice: the kernel takes the highest cgroup up to the one with the limit, and would kill all contributions.
    for (const FoundContribution& one : find_contributions(*root_, cgroups, max_set_per_user))
        knobs.set_on(one.cgroup + "/memory.oom.group");
}

}  // namespace tmm::os
