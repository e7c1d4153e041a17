// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/soft/soft_heap.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tmm::core {

namespace {

constexpr std::uint64_t first_end = 1 << 20;

// Of the footprint, for the first uses of a young heap.
constexpr double assumed_distance = 1.1;

// At first, besides twice what it has.
constexpr std::uint64_t growth_of_quiet_heap = 16 << 20;

// Of the first uses, by the time for which a heap is known, how many count as reuses to come.
constexpr double least_hope = 0.5;
constexpr double hope_half_life_s = 60;

bool is_young(const SoftHeap& heap) {
    return heap.footprint <= heap.budget;
}

double hope(const SoftHeap& heap) {
    return least_hope + (1 - least_hope) * std::exp2(-heap.known_s / hope_half_life_s);
}

Bytes assumed_reuse(const SoftHeap& heap) {
    return Bytes(static_cast<std::uint64_t>(assumed_distance * heap.footprint.as_double()));
}

}  // namespace

Bytes bucket_end(std::size_t bucket) {
    static const std::array<std::uint64_t, nr_reuse_buckets> ends = [] {
        std::array<std::uint64_t, nr_reuse_buckets> all{};
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = static_cast<std::uint64_t>(std::llround(std::exp2(static_cast<double>(i) / 16) * first_end));
        return all;
    }();
    return Bytes(ends[std::min(bucket, nr_reuse_buckets - 1)]);
}

double SoftHeap::uses_per_s() const {
    return std::accumulate(reuses_per_s.begin(), reuses_per_s.end(), first_uses_per_s);
}

double SoftHeap::misses_by_curve(Bytes bytes) const {
    double misses = first_uses_per_s;
    for (std::size_t i = nr_reuse_buckets; i-- > 0 && bucket_end(i) > bytes;) {
        const Bytes begin = i > 0 ? bucket_end(i - 1) : Bytes(0);
        // Distances within a bucket are spread evenly.
        misses += reuses_per_s[i] * (bytes > begin ? ratio(bucket_end(i) - bytes, bucket_end(i) - begin) : 1);
    }
    return misses;
}

double SoftHeap::misses_per_s(Bytes bytes) const {
    const double hoped = is_young(*this) && bytes >= assumed_reuse(*this) ? hope(*this) : 0;
    return misses_by_curve(bytes) - hoped * first_uses_per_s;
}

double SoftHeap::utility(Bytes bytes) const {
    return 1 / (1 + rebuilding(bytes));
}

bool SoftHeap::tells_uses() const {
    return uses_per_s() > 0;
}

Bytes SoftHeap::most_useful() const {
    if (!tells_uses())
        return used * 2 + Bytes(growth_of_quiet_heap);
    Bytes most = is_young(*this) && first_uses_per_s > 0 ? assumed_reuse(*this) : Bytes(0);
    for (std::size_t i = 0; i < nr_reuse_buckets; ++i) {
        if (reuses_per_s[i] > 0)
            most = std::max(most, bucket_end(i));
    }
    return most;
}

}  // namespace tmm::core
