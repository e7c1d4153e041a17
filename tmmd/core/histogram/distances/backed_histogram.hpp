// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BackedHistogram: holds a histogram of stack distances for each backing, since a miss costs more on one than on the other.
// A plain value; not thread-safe. Members named as in LruHistogram do the same for each histogram.
#pragma once

#include <array>

#include "tmmd/core/histogram/distances/lru_histogram.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

class BackedHistogram {
public:
    BackedHistogram(Pages bucket_pages, std::size_t nr_buckets);

    void add(double from, double to, const ByBacking& accesses);
    void add_scaled(const BackedHistogram& other, double scale);
    void average_in(const BackedHistogram& newer, double scale, double weight);
    void clear();
    [[nodiscard]] BackedHistogram rebucketed(Pages bucket_pages, std::size_t nr_buckets) const;

    [[nodiscard]] const LruHistogram& of(Backing backing) const { return histograms_[static_cast<std::size_t>(backing)]; }
    [[nodiscard]] LruHistogram& of(Backing backing) { return histograms_[static_cast<std::size_t>(backing)]; }

    // Return the sum of both backings.
    [[nodiscard]] double misses(Pages size) const;
    [[nodiscard]] double accesses() const;

    // Returns the cost of the accesses if they missed: each counts with the cost of a miss on its backing.
    [[nodiscard]] LruHistogram weighted(const ByBacking& cost_of_a_miss) const;

private:
    std::array<LruHistogram, nr_backings> histograms_;
};

}  // namespace tmm::core
