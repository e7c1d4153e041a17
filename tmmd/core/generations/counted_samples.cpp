// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/generations/counted_samples.hpp"

#include <algorithm>
#include <span>

namespace tmm::core {

namespace {

// More samples than the policy needs at least (EpochPace); the kernel counts pages one by one anyway.
constexpr std::uint64_t max_pseudo_pages = 16384;

// Returns the lists of pages whose uses reference bits tell.
template <typename Flow>
auto of_reference_bits(Flow& flow) {
    return std::span(flow).template first<static_cast<std::size_t>(PageList::read)>();
}

}  // namespace

std::uint32_t pages_per_pseudo_page(Pages installed) {
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(installed.count(), 1) / max_pseudo_pages + 1);
}

EpochSample CountedSamples::end_epoch(FlowByCgroup&& flows, Seconds length, Seconds cost, Pages evicted) {
    Pages used_old{0};
    // Shorter or longer epochs tell no more of files that read(2) uses.
    for (const auto& [cgroup, flow] : flows) {
        for (const PageFlow& one : of_reference_bits(flow))
            used_old += one.used_old;
    }
    pace_.epoch_ended(length, used_old, cost);
    for (auto& [cgroup, flow] : flows) {
        const auto lists = of_reference_bits(flow);
        if (!pace_.settled())
            std::transform(lists.begin(), lists.end(), lists.begin(), without_old_uses);
    }
    const auto old_uses = pace_.attempts() ? OldUses::youngest_first : OldUses::by_hazard;
    return pages_.end_epoch(flows, evicted, length, old_uses);
}

}  // namespace tmm::core
