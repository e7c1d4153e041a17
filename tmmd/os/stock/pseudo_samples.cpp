// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/stock/pseudo_samples.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "tmmd/os/tmm/frame_sample_source.hpp"

namespace tmm::os {

namespace {

// More samples than the policy needs at least (core::EpochPace); the kernel counts pages one by one anyway.
constexpr std::uint64_t max_pseudo_pages = 16384;

// Returns the lists of pages whose uses reference bits tell.
template <typename Flow>
auto of_reference_bits(Flow& flow) {
    return std::span(flow).template first<static_cast<std::size_t>(core::PageList::read)>();
}

}  // namespace

std::uint32_t pages_per_pseudo_page(core::Pages installed) {
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(installed.count(), 1) / max_pseudo_pages + 1);
}

PseudoSamples::PseudoSamples(const RootDir& root, core::Pages installed, const core::AgeingPace& pace)
    : pages_(pages_per_pseudo_page(installed)), pace_(pace), counters_(root) {}

bool PseudoSamples::due(core::Seconds epoch) {
    epoch_ = epoch;
    return pace_.due(epoch);
}

Result<core::EpochSample> PseudoSamples::end_epoch(core::FlowByCgroup&& flows, core::Seconds cost,
                                                   const std::vector<std::string>& transparent_cgroups) {
    core::EpochSample counted;
    auto added = add_counts(counted, transparent_cgroups);
    if (!added)
        return std::move(added).error();
    const core::Seconds length = std::exchange(epoch_, core::Seconds(0));
    core::Pages used_old{0};
    // Shorter or longer epochs tell no more of files that read(2) uses.
    for (const auto& [cgroup, flow] : flows) {
        for (const core::PageFlow& one : of_reference_bits(flow))
            used_old += one.used_old;
    }
    pace_.epoch_ended(length, used_old, cost);
    for (auto& [cgroup, flow] : flows) {
        const auto lists = of_reference_bits(flow);
        if (!pace_.settled())
            std::transform(lists.begin(), lists.end(), lists.begin(), core::without_old_uses);
    }
    const auto old_uses = pace_.attempts() ? core::OldUses::youngest_first : core::OldUses::by_hazard;
    core::EpochSample sample = pages_.end_epoch(flows, std::exchange(evicted_, core::Pages(0)), length, old_uses);
    sample.refaults = std::move(counted.refaults);
    sample.evicted = counted.evicted;
    return sample;
}

Result<core::EpochSample> PseudoSamples::poll_refaults(const std::vector<std::string>& transparent_cgroups) {
    core::EpochSample sample;
    sample.scanned = false;
    auto added = add_counts(sample, transparent_cgroups);
    if (!added)
        return std::move(added).error();
    return sample;
}

Result<void> PseudoSamples::add_counts(core::EpochSample& sample, const std::vector<std::string>& transparent_cgroups) {
    const auto counts = counters_.poll(transparent_cgroups);
    if (!counts)
        return counts.error();
    sample.refaults = refaults_of(*counts);
    const std::uint64_t before = std::exchange(evictions_, counts->evictions).value_or(counts->evictions);
    sample.evicted = core::Pages(counts->evictions - before);
    evicted_ += *sample.evicted;
    return {};
}

}  // namespace tmm::os
