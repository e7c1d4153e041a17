// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PseudoSamples: the common parts of sources that know counts of pages and no pages: core::CountedSamples, and the evictions and
// refaults that the kernel counts. Called from one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/core/generations/counted_samples.hpp"
#include "tmmd/os/sources/frames/refault_counters.hpp"

namespace tmm::os {

class PseudoSamples {
public:
    // installed: memory of the machine. pace: of the calls that read and clear reference bits. root must outlive it.
    PseudoSamples(const RootDir& root, core::Pages installed, const core::AgeingPace& pace);

    // As of SampleSource.
    bool due(core::Seconds epoch);
    [[nodiscard]] core::Seconds planned() const { return counted_.planned(); }
    Result<core::EpochSample> poll_refaults(const std::vector<std::string>& transparent_cgroups);

    // Ends the epoch of the last call of due(). flows: used up. cost: processor time of reading and clearing.
    Result<core::EpochSample> end_epoch(core::FlowByCgroup&& flows, core::Seconds cost,
                                        const std::vector<std::string>& transparent_cgroups);

private:
    Result<void> add_counts(core::EpochSample& sample, const std::vector<std::string>& transparent_cgroups);

    core::CountedSamples counted_;
    RefaultCounters counters_;
    core::Seconds epoch_{0};                  // as of the last call of due()
    std::optional<std::uint64_t> evictions_;  // as of the last call of add_counts()
    core::Pages evicted_{0};                  // since the last sample
};

}  // namespace tmm::os
