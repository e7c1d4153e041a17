// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LruHistogram: accesses over their position in the LRU stack (stack distance; Mattson et al. 1970, the paper's section 2.2).
// The accesses deeper than C pages are those that would miss in a memory of C pages. A plain value; not thread-safe.
#pragma once

#include <cstddef>
#include <vector>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

class LruHistogram {
public:
    // nr_buckets buckets of bucket_pages (both at least 1); what lies deeper goes into one last, bottomless bucket.
    LruHistogram(Pages bucket_pages, std::size_t nr_buckets);

    // Accesses at a position that is only known to lie in [from, to] pages: spread evenly over the interval. accesses is not
    // negative.
    void add(double from, double to, double accesses);

    // Accesses deeper than size pages; the bucket that size falls into is taken in proportion.
    [[nodiscard]] double misses(Pages size) const;
    [[nodiscard]] double accesses() const;

    // Smallest multiple of bucket_pages, at most limit rounded up to one, where misses() is at most allowed_misses.
    [[nodiscard]] Pages smallest_size(double allowed_misses, Pages limit) const;

    // this = (1 - weight) * this + weight * scale * newer. Both must have the same buckets.
    void average_in(const LruHistogram& newer, double scale, double weight);

    // this = this + scale * other. Both must have the same buckets.
    void add_scaled(const LruHistogram& other, double scale);

    // The same accesses in other buckets, each old one spread evenly.
    [[nodiscard]] LruHistogram rebucketed(Pages bucket_pages, std::size_t nr_buckets) const;

    void clear();

    [[nodiscard]] Pages bucket_pages() const { return bucket_pages_; }
    // Without the bottomless one.
    [[nodiscard]] std::size_t nr_buckets() const { return buckets_.size() - 1; }
    // The last one is the bottomless bucket.
    [[nodiscard]] const std::vector<double>& buckets() const { return buckets_; }
    // As many as buckets() has.
    void set_buckets(const std::vector<double>& buckets) { buckets_ = buckets; }

private:
    Pages bucket_pages_;
    std::vector<double> buckets_;
};

}  // namespace tmm::core
