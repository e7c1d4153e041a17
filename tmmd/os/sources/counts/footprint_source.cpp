// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/counts/footprint_source.hpp"

#include <utility>

namespace tmm::os {

FootprintSource::FootprintSource(const RootDir& root, std::unique_ptr<Footprints> processes, core::Pages installed,
                                 const core::AgeingPace& pace)
    : processes_(std::move(processes)), samples_(root, installed, pace), cpu_before_(processes_->cpu_time()) {}

Result<core::EpochSample> FootprintSource::sample() {
    const auto footprints = processes_->read(transparent_cgroups_);
    if (!footprints)
        return footprints.error();
    const core::Seconds cpu_now = processes_->cpu_time();
    const core::Seconds cost = cpu_now - std::exchange(cpu_before_, cpu_now);
    core::FlowByCgroup flows = tracker_.end_epoch(*footprints);
    core::ReadFilesByCgroup files;
    for (const auto& [cgroup, footprint] : *footprints)
        files[cgroup] = footprint.read;
    reads_.end_epoch(files, flows);
    auto sample = samples_.end_epoch(std::move(flows), cost, transparent_cgroups_);
    if (!sample)
        return sample;
    evicted_ += sample->evicted.value_or(core::Pages(0));
    if (tracker_.window_ended(evicted_)) {
        auto cleared = processes_->clear();
        if (!cleared)
            return std::move(cleared).error();
        tracker_.cleared();
    }
    evicted_ = core::Pages(0);
    return sample;
}

Result<core::EpochSample> FootprintSource::poll_refaults() {
    auto sample = samples_.poll_refaults(transparent_cgroups_);
    if (sample)
        evicted_ += sample->evicted.value_or(core::Pages(0));
    return sample;
}

std::string FootprintSource::description() const {
    return "the growth of the owner's programs' footprints, at most every " +
           std::to_string(static_cast<long>(samples_.planned().count())) + " s, since no better source works here";
}

}  // namespace tmm::os
