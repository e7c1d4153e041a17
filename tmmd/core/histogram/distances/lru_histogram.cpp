// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/distances/lru_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tmm::core {

LruHistogram::LruHistogram(Pages bucket_pages, std::size_t nr_buckets)
    : bucket_pages_(std::max(bucket_pages, Pages(1))), buckets_(std::max<std::size_t>(nr_buckets, 1) + 1, 0.0) {}

void LruHistogram::add(double from, double to, double accesses) {
    const auto width = bucket_pages_.as_double();
    const std::size_t last = buckets_.size() - 1;
    const auto bucket_of = [&](double position) {
        return static_cast<std::size_t>(std::clamp(position / width, 0.0, static_cast<double>(last)));
    };
    from = std::max(from, 0.0);
    to = std::max(to, from);
    const std::size_t first_bucket = bucket_of(from);
    const std::size_t last_bucket = bucket_of(to);
    if (first_bucket == last_bucket) {
        buckets_[first_bucket] += accesses;
        return;
    }
    const double per_page = accesses / (to - from);
    for (std::size_t bucket = first_bucket; bucket <= last_bucket; ++bucket) {
        const double start = std::max(from, static_cast<double>(bucket) * width);
        const double end = bucket == last ? to : std::min(to, static_cast<double>(bucket + 1) * width);
        buckets_[bucket] += per_page * (end - start);
    }
}

double LruHistogram::misses(Pages size) const {
    return sum_after(bucket_of(size), buckets_.size() - 1) + deeper_in_bucket(size);
}

double LruHistogram::misses_between(Pages smaller, Pages larger) const {
    return sum_after(bucket_of(smaller), bucket_of(larger)) + deeper_in_bucket(smaller) - deeper_in_bucket(larger);
}

std::size_t LruHistogram::bucket_of(Pages size) const {
    return std::min<std::size_t>(size.count() / bucket_pages_.count(), buckets_.size() - 1);
}

double LruHistogram::deeper_in_bucket(Pages size) const {
    const std::size_t bucket = bucket_of(size);
    // The depths inside the bottomless bucket are not known: all of it counts as deeper.
    const double inside = bucket == buckets_.size() - 1
                              ? 0.0
                              : static_cast<double>(size.count() % bucket_pages_.count()) / bucket_pages_.as_double();
    return buckets_[bucket] * (1.0 - inside);
}

double LruHistogram::sum_after(std::size_t first, std::size_t last) const {
    const auto begin = buckets_.begin() + 1;
    return std::accumulate(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last), 0.0);
}

double LruHistogram::accesses() const {
    return std::accumulate(buckets_.begin(), buckets_.end(), 0.0);
}

Pages LruHistogram::smallest_size(double allowed_misses, Pages limit) const {
    const std::size_t last = buckets_.size() - 1;
    std::size_t bucket = std::min<std::size_t>((limit.count() + bucket_pages_.count() - 1) / bucket_pages_.count(), last);
    double deeper = std::accumulate(buckets_.begin() + static_cast<std::ptrdiff_t>(bucket), buckets_.end(), 0.0);
    while (bucket > 0 && deeper + buckets_[bucket - 1] <= allowed_misses)
        deeper += buckets_[--bucket];
    return bucket * bucket_pages_;
}

void LruHistogram::average_in(const LruHistogram& newer, double scale, double weight) {
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket)
        buckets_[bucket] = (1.0 - weight) * buckets_[bucket] + weight * scale * newer.buckets_[bucket];
}

void LruHistogram::add_scaled(const LruHistogram& other, double scale) {
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket)
        buckets_[bucket] += scale * other.buckets_[bucket];
}

LruHistogram LruHistogram::rebucketed(Pages bucket_pages, std::size_t nr_buckets) const {
    LruHistogram result(bucket_pages, nr_buckets);
    const auto width = bucket_pages_.as_double();
    for (std::size_t bucket = 0; bucket + 1 < buckets_.size(); ++bucket) {
        const double from = static_cast<double>(bucket) * width;
        result.add(from, from + width, buckets_[bucket]);
    }
    result.buckets_.back() += buckets_.back();
    return result;
}

void LruHistogram::clear() {
    std::fill(buckets_.begin(), buckets_.end(), 0.0);
}

}  // namespace tmm::core
