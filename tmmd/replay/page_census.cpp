// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/page_census.hpp"

#include "tmmd/core/histogram/spatial_sampling.hpp"

namespace tmm::core {

void PageCensus::see(PageKey key, std::uint32_t weight) {
    if (!is_sampled(key, shift_))
        return;
    std::uint32_t& known_weight = samples_[key];
    if (weight > known_weight) {
        sampled_pages_ += Pages(weight - known_weight);
        known_weight = weight;
    }
    while (samples_.size() > max_samples_ && shift_ < max_shift_)
        halve_rate();
}

void PageCensus::halve_rate() {
    ++shift_;
    std::erase_if(samples_, [&](const auto& sample) {
        if (is_sampled(sample.first, shift_))
            return false;
        sampled_pages_ -= Pages(sample.second);
        return true;
    });
}

}  // namespace tmm::core
