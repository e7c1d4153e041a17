// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/files/unmapped_files_source.hpp"

#include <utility>

#include "tmmd/core/generations/counted_samples.hpp"

namespace tmm::os {

namespace {

constexpr core::PageKey first_key = core::PageKey{1} << 63;

core::PseudoPages no_pages(core::Pages installed) {
    return core::PseudoPages(core::pages_per_pseudo_page(installed), first_key);
}

}  // namespace

UnmappedFilesSource::UnmappedFilesSource(std::unique_ptr<SampleSource> mapped, KnownFiles files, core::Pages installed,
                                         const core::AgeingPace& pace)
    : mapped_(std::move(mapped)), files_(std::move(files)), installed_(installed), pace_(pace), pages_(no_pages(installed)) {}

void UnmappedFilesSource::follow(const std::vector<std::string>& transparent_cgroups) {
    transparent_cgroups_ = transparent_cgroups;
    mapped_->follow(transparent_cgroups);
}

bool UnmappedFilesSource::due(core::Seconds epoch) {
    epoch_ = epoch;
    return mapped_->due(epoch);
}

bool UnmappedFilesSource::prepare() {
    is_due_ = pace_.due(since_look_ + epoch_);
    const bool files_are_ready = !is_due_ || files_.prepare(transparent_cgroups_);
    return mapped_->prepare() && files_are_ready;
}

Result<core::EpochSample> UnmappedFilesSource::sample() {
    auto sample = mapped_->sample();
    if (!sample)
        return sample;
    evicted_ += sample->evicted.value_or(core::Pages(0));
    since_look_ += std::exchange(epoch_, core::Seconds(0));
    if (std::exchange(is_due_, false))
        add_files(*sample);
    return sample;
}

Result<core::EpochSample> UnmappedFilesSource::poll_refaults() {
    auto sample = mapped_->poll_refaults();
    if (sample)
        evicted_ += sample->evicted.value_or(core::Pages(0));
    return sample;
}

void UnmappedFilesSource::add_files(core::EpochSample& sample) {
    const core::ReadFilesByCgroup& files = files_.look(transparent_cgroups_);
    core::FlowByCgroup flows;
    open_.end_epoch(files, flows);
    others_.end_epoch(core::others_of(files), flows);
    const core::Seconds length = std::exchange(since_look_, core::Seconds(0));
    const core::EpochSample more = pages_.end_epoch(flows, std::exchange(evicted_, core::Pages(0)), length);
    sample.referenced.insert(sample.referenced.end(), more.referenced.begin(), more.referenced.end());
    sample.gone.insert(sample.gone.end(), more.gone.begin(), more.gone.end());
    // Longer epochs would tell no more of these files.
    pace_.epoch_ended(length, core::Pages(0), files_.take_cost());
}

void UnmappedFilesSource::restart() {
    open_ = core::ReadTracker(core::PageList::read);
    others_ = core::ReadTracker(core::PageList::file);
    pages_ = no_pages(installed_);
}

bool UnmappedFilesSource::change_rate(int change) {
    const bool has_changed = mapped_->change_rate(change);
    if (has_changed)
        restart();
    return has_changed;
}

std::string UnmappedFilesSource::problem() const {
    const std::string of_mapped = mapped_->problem();
    return of_mapped.empty() ? files_.problem() : of_mapped;
}

}  // namespace tmm::os
