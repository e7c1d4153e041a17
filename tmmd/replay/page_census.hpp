// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PageCensus: counts the different pages of a trace, and finds the sampling shift that leaves at most max_samples of them. The
// count is exact: an estimate would make a memory in which the trace's pages do not fit. It takes 24 to 48 bytes a page. Pure;
// not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tmmd/core/pages.hpp"
#include "tmmd/replay/lru/page_index.hpp"

namespace tmm::core {

class PageCensus {
public:
    // max_samples: at least 1. max_shift: at most 63.
    PageCensus(std::size_t max_samples, std::uint32_t max_shift) : max_samples_(max_samples), nr_pages_by_shift_(max_shift + 1) {}

    // Counts a page that stands for weight pages, at least 1. If it is seen again, the larger weight counts.
    void see(PageKey key, std::uint32_t weight);

    // Returns the smallest shift that leaves at most max_samples pages; max_shift if none does.
    [[nodiscard]] std::uint32_t shift() const;
    // Returns the number of pages: the sum of their weights.
    [[nodiscard]] Pages pages() const { return pages_; }

private:
    std::size_t max_samples_;
    std::vector<std::size_t> nr_pages_by_shift_;  // pages that a sample with this shift has
    PageIndex known_;
    Pages pages_{0};
};

}  // namespace tmm::core
