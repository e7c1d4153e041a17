// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/page_census.hpp"

#include "tmmd/core/histogram/spatial_sampling.hpp"

namespace tmm::core {

void PageCensus::see(PageKey key, std::uint32_t weight) {
    if (PageIndex::Entry* const known = known_.find(key)) {
        if (weight > known->weight) {
            pages_ += Pages(weight - known->weight);
            known->weight = weight;
        }
        return;
    }
    known_.insert({key, 0, weight});
    pages_ += Pages(weight);
    // A larger shift takes a subset.
    for (std::uint32_t shift = 0; shift < nr_pages_by_shift_.size() && is_sampled(key, shift); ++shift)
        ++nr_pages_by_shift_[shift];
}

std::uint32_t PageCensus::shift() const {
    std::uint32_t shift = 0;
    while (shift + 1 < nr_pages_by_shift_.size() && nr_pages_by_shift_[shift] > max_samples_)
        ++shift;
    return shift;
}

}  // namespace tmm::core
