// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PageCensus: counts different pages in fixed memory, and finds the sampling shift that leaves at most max_samples of them. This
// is the rule of fixed-size SHARDS (FAST'15, section 5.2). It starts with all pages. When they become too many, it halves the
// sampling rate and drops those that are no longer sampled. The count is exact until then. Pure; not thread-safe.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

class PageCensus {
public:
    // max_samples: at least 1. max_shift: at most 63. If max_shift does not suffice, memory grows with the number of pages again,
    // by 1/2^max_shift.
    PageCensus(std::size_t max_samples, std::uint32_t max_shift) : max_samples_(max_samples), max_shift_(max_shift) {}

    // Counts a page that stands for weight pages. If it is seen again, the larger weight counts.
    void see(PageKey key, std::uint32_t weight);

    [[nodiscard]] std::uint32_t shift() const { return shift_; }
    [[nodiscard]] std::size_t nr_samples() const { return samples_.size(); }
    // Returns the number of pages, estimated from the samples.
    [[nodiscard]] Pages pages() const { return sampled_pages_ * (std::uint64_t{1} << shift_); }

private:
    void halve_rate();

    std::size_t max_samples_;
    std::uint32_t max_shift_;
    std::uint32_t shift_ = 0;
    std::unordered_map<PageKey, std::uint32_t> samples_;  // key, weight
    Pages sampled_pages_{0};
};

}  // namespace tmm::core
