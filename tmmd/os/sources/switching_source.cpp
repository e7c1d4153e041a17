// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/switching_source.hpp"

#include <cerrno>
#include <utility>

namespace tmm::os {

Result<std::unique_ptr<SampleSource>> SwitchingSource::open(std::vector<Open> best_first) {
    std::unique_ptr<SwitchingSource> source(new SwitchingSource(std::move(best_first)));
    Error last(ENODEV, "there is no source of samples");
    for (; source->index_ < source->best_first_.size(); ++source->index_) {
        auto opened = source->best_first_[source->index_]();
        if (opened) {
            source->current_ = *std::move(opened);
            return std::unique_ptr<SampleSource>(std::move(source));
        }
        last = opened.error();
    }
    return last;
}

void SwitchingSource::follow(const std::vector<std::string>& transparent_cgroups) {
    transparent_cgroups_ = transparent_cgroups;
    current_->follow(transparent_cgroups_);
}

void SwitchingSource::tell_of_loss(const Error& error) {
    problem_ = error.message() + "; until this works again, a source with less to tell takes its place";
}

Result<core::EpochSample> SwitchingSource::sample_first(std::size_t begin, std::size_t end) {
    Error last(ENODEV, "there is no other source of samples");
    for (std::size_t index = begin; index < end; ++index) {
        auto opened = best_first_[index]();
        if (opened)
            (*opened)->follow(transparent_cgroups_);
        auto sample = opened ? (*opened)->sample() : Result<core::EpochSample>(opened.error());
        if (!sample) {
            last = sample.error();
            // Why it does not come back may be another reason than that of its loss.
            if (!problem_.empty() && index == lost_index_)
                tell_of_loss(last);
            continue;
        }
        current_ = *std::move(opened);
        index_ = index;
        polls_ = 0;
        return sample;
    }
    return last;
}

Result<core::EpochSample> SwitchingSource::sample() {
    if (polls_ >= polls_per_attempt && index_ > 0) {
        polls_ = 0;
        if (auto better = sample_first(0, index_)) {
            if (index_ <= lost_index_)
                problem_.clear();
            return better;
        }
    }
    // With epochs of a fixed length nobody polls.
    ++polls_;
    auto sample = current_->sample();
    if (sample)
        return sample;
    const Error lost = sample.error();
    const std::size_t lost_index = index_;
    auto next = sample_first(index_ + 1, best_first_.size());
    if (!next)
        return lost;
    tell_of_loss(lost);
    lost_index_ = lost_index;
    return next;
}

Result<core::EpochSample> SwitchingSource::poll_refaults() {
    ++polls_;
    return current_->poll_refaults();
}

}  // namespace tmm::os
