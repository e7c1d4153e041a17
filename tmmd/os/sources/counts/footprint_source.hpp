// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// FootprintSource: samples opaque memory by the growth of the footprint after the reference bits of all opaque processes were
// cleared. It works with the classic LRU and under Secure Boot, where nothing else does. core/generations makes pages of the
// counts, each with its cgroup. Called from one thread.
//
// It differs from GenerationSource in three points. A change of what is used is known in full an epoch late (FootprintTracker).
// Files and anonymous memory of a process count as used in the same share. And the kernel's reclaim loses the bits as well: it
// then knows the uses since, and no older ones. So the bits stay for longer while opaque memory is evicted.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/core/generations/ageing_pace.hpp"
#include "tmmd/core/generations/footprint_flow.hpp"
#include "tmmd/os/sources/counts/footprints.hpp"
#include "tmmd/os/sources/counts/pseudo_samples.hpp"
#include "tmmd/os/sources/sample_source.hpp"

namespace tmm::os {

class FootprintSource : public SampleSource {
public:
    // The parameters are those of PseudoSamples.
    FootprintSource(const RootDir& root, std::unique_ptr<Footprints> processes, core::Pages installed,
                    const core::AgeingPace& pace);

    Result<core::EpochSample> sample() override;
    Result<core::EpochSample> poll_refaults() override;
    [[nodiscard]] bool due(core::Seconds epoch) override { return samples_.due(epoch); }
    [[nodiscard]] bool prepare() override { return processes_->prepare(transparent_cgroups_); }
    [[nodiscard]] bool has_failed() const override { return processes_->have_failed(); }
    void follow(const std::vector<std::string>& transparent_cgroups) override { transparent_cgroups_ = transparent_cgroups; }
    // The kernel counts all pages.
    bool change_rate(int) override { return false; }
    [[nodiscard]] SourceTraits traits() const override { return {"footprint"}; }
    // It counts the accessed bits that ageing takes.
    [[nodiscard]] std::string description() const override;

private:
    std::unique_ptr<Footprints> processes_;
    core::FootprintTracker tracker_;
    core::ReadTracker reads_;
    PseudoSamples samples_;
    std::vector<std::string> transparent_cgroups_;
    core::Pages evicted_{0};       // in this epoch
    core::Seconds cpu_before_{0};  // of processes_, as of the last sample; clearing after it belongs to the next epoch
};

}  // namespace tmm::os
