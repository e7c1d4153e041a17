// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LruHistogram: counts accesses by LRU stack position (stack distance; Mattson et al. 1970, the paper's section 2.2). The
// accesses deeper than C pages are those that would miss in a memory of C pages. A plain value; not thread-safe.
#pragma once

#include <cstddef>
#include <vector>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

class LruHistogram {
public:
    // nr_buckets buckets of bucket_pages, both at least 1. Deeper accesses go into one last, bottomless bucket.
    LruHistogram(Pages bucket_pages, std::size_t nr_buckets);

    // Adds accesses, not negative, at a position in [from, to] pages: they are spread evenly over the interval.
    void add(double from, double to, double accesses);

    // Returns the accesses deeper than size pages. The bucket that size falls into counts in proportion.
    [[nodiscard]] double misses(Pages size) const;
    // Returns misses(smaller) - misses(larger), in less time. smaller: at most larger.
    [[nodiscard]] double misses_between(Pages smaller, Pages larger) const;
    // Returns all accesses.
    [[nodiscard]] double accesses() const;

    // Returns the smallest multiple of bucket_pages at which misses() is at most allowed_misses; at most limit, rounded up to a
    // multiple.
    [[nodiscard]] Pages smallest_size(double allowed_misses, Pages limit) const;

    // this = (1 - weight) * this + weight * scale * newer. Both must have the same buckets.
    void average_in(const LruHistogram& newer, double scale, double weight);

    // this = this + scale * other. Both must have the same buckets.
    void add_scaled(const LruHistogram& other, double scale);

    // Returns the same accesses in other buckets. Those of an old bucket are spread evenly.
    [[nodiscard]] LruHistogram rebucketed(Pages bucket_pages, std::size_t nr_buckets) const;

    void clear();

    [[nodiscard]] Pages bucket_pages() const { return bucket_pages_; }
    // Returns the number of buckets without the bottomless one.
    [[nodiscard]] std::size_t nr_buckets() const { return buckets_.size() - 1; }
    // Returns the accesses by bucket; the last bucket is the bottomless one.
    [[nodiscard]] const std::vector<double>& buckets() const { return buckets_; }
    // buckets: as many as buckets() has.
    void set_buckets(const std::vector<double>& buckets) { buckets_ = buckets; }

private:
    // Returns the number of the bucket that size falls into.
    [[nodiscard]] std::size_t bucket_of(Pages size) const;
    // Returns the accesses of that bucket that are deeper than size.
    [[nodiscard]] double deeper_in_bucket(Pages size) const;
    // Returns the accesses of the buckets after first, up to last.
    [[nodiscard]] double sum_after(std::size_t first, std::size_t last) const;

    Pages bucket_pages_;
    std::vector<double> buckets_;
};

}  // namespace tmm::core
