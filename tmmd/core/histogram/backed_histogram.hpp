// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BackedHistogram: a histogram of stack distances for each backing store, since a miss costs more on one than on the other.
// GroupedHistogram: one of all sampled pages, and one of each sub-group of them. The sub-groups are disjoint samples drawn by a
// hash of the key: how far their curves lie apart tells how well the curve of all is known. Plain values; not thread-safe.
#pragma once

#include <array>

#include "tmmd/core/histogram/lru_histogram.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

class BackedHistogram {
public:
    // As LruHistogram.
    BackedHistogram(Pages bucket_pages, std::size_t nr_buckets);

    void add(double from, double to, const ByBacking& accesses);
    void add_scaled(const BackedHistogram& other, double scale);
    void average_in(const BackedHistogram& newer, double scale, double weight);
    void clear();
    [[nodiscard]] BackedHistogram rebucketed(Pages bucket_pages, std::size_t nr_buckets) const;

    [[nodiscard]] const LruHistogram& of(Backing backing) const { return histograms_[static_cast<std::size_t>(backing)]; }
    [[nodiscard]] LruHistogram& of(Backing backing) { return histograms_[static_cast<std::size_t>(backing)]; }

    // Of both.
    [[nodiscard]] double misses(Pages size) const;
    [[nodiscard]] double accesses() const;

    // What the accesses would cost if they missed: each counted with the cost of a miss on its backing.
    [[nodiscard]] LruHistogram weighted(const ByBacking& cost_of_a_miss) const;

private:
    std::array<LruHistogram, nr_backings> histograms_;
};

struct GroupedHistogram {
    static constexpr std::size_t nr_groups = 8;
    static std::size_t group_of(PageKey key);

    GroupedHistogram(Pages bucket_pages, std::size_t nr_buckets);

    // Accesses that were counted one by one, not sampled: the same in every sub-group.
    void add_counted(double from, double to, const ByBacking& accesses);

    void add_scaled(const GroupedHistogram& other, double scale);
    void average_in(const GroupedHistogram& newer, double scale, double weight);
    void clear();
    [[nodiscard]] GroupedHistogram rebucketed(Pages bucket_pages, std::size_t nr_buckets) const;

    BackedHistogram all;
    std::array<BackedHistogram, nr_groups> groups;  // each stands for all of memory: its pages count nr_groups times
};

}  // namespace tmm::core
