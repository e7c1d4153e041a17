// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/counts/pseudo_samples.hpp"

#include <utility>

#include "tmmd/os/sources/frames/frame_sample_source.hpp"

namespace tmm::os {

PseudoSamples::PseudoSamples(const RootDir& root, core::Pages installed, const core::AgeingPace& pace)
    : counted_(installed, pace), counters_(root) {}

bool PseudoSamples::due(core::Seconds epoch) {
    epoch_ = epoch;
    return counted_.due(epoch);
}

Result<core::EpochSample> PseudoSamples::end_epoch(core::FlowByCgroup&& flows, core::Seconds cost,
                                                   const std::vector<std::string>& transparent_cgroups) {
    core::EpochSample counted;
    auto added = add_counts(counted, transparent_cgroups);
    if (!added)
        return std::move(added).error();
    core::EpochSample sample = counted_.end_epoch(std::move(flows), std::exchange(epoch_, core::Seconds(0)), cost,
                                                  std::exchange(evicted_, core::Pages(0)));
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
