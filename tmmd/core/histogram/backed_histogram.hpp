// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BackedHistogram: holds a histogram of stack distances for each backing, since a miss costs more on one than on the other.
//
// GroupedHistogram: holds one such histogram of all sampled pages and one of each sub-group. The sub-groups are disjoint samples,
// drawn by a hash of the key. The spread of their curves tells the error of the curve of all.
//
// Plain values; not thread-safe. Members named as in LruHistogram do the same for each histogram.
#pragma once

#include <array>

#include "tmmd/core/histogram/lru_histogram.hpp"
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

struct GroupedHistogram {
    static constexpr std::size_t nr_groups = 8;
    // Returns the sub-group of a page, below nr_groups.
    static std::size_t group_of(PageKey key);

    GroupedHistogram(Pages bucket_pages, std::size_t nr_buckets);

    // Adds accesses that were counted one by one, not sampled: each sub-group gets all of them.
    void add_counted(double from, double to, const ByBacking& accesses);

    void add_scaled(const GroupedHistogram& other, double scale);
    void average_in(const GroupedHistogram& newer, double scale, double weight);
    void clear();
    [[nodiscard]] GroupedHistogram rebucketed(Pages bucket_pages, std::size_t nr_buckets) const;

    BackedHistogram all;
    std::array<BackedHistogram, nr_groups> groups;  // each stands for all of memory: its pages count nr_groups times
};

}  // namespace tmm::core
