// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MissLatency: learns how long a missed page takes to return, from the reads of each store. A plain value; not thread-safe.
#pragma once

#include <array>
#include <cstddef>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

class LatencyEstimate {
public:
    // The past counts as at most this many reads: older ones fade.
    static constexpr double remembered_reads = 10'000;

    // Adds reads and their total time. Ignores an empty set and values that are negative or not finite.
    void add(const StoreReads& reads);

    // Returns the reads that the estimate rests on, at most remembered_reads.
    [[nodiscard]] double reads() const { return reads_; }
    // Returns the mean latency; 0 without reads.
    [[nodiscard]] Seconds mean() const;
    // Returns a bound that 95 % of reads kept to, exact to a quarter of a power of two; 0 without reads. It is approximate: all
    // reads of an epoch count with their mean, since only sums are known.
    [[nodiscard]] Seconds p95() const;

private:
    // Quarter powers of two from 2^-20 s (1 us) to 2^4 s.
    static constexpr int nr_buckets = 24 * 4;

    double reads_ = 0;
    Seconds time_{0};
    std::array<double, nr_buckets> by_latency_{};
};

class MissLatency {
public:
    // Until this many reads of a backing were seen, a miss counts as slow as on the paper's disk (section 4): the safe side.
    static constexpr Seconds unmeasured{0.0025};
    static constexpr double min_reads = 32;

    void add(const std::array<StoreReads, nr_stores>& reads);

    // Return the seconds that a miss takes. Anonymous memory that is swapped to several stores counts in proportion to their
    // reads.
    [[nodiscard]] ByBacking mean() const;
    [[nodiscard]] ByBacking p95() const;

    [[nodiscard]] const LatencyEstimate& of(Store store) const { return stores_[static_cast<std::size_t>(store)]; }

private:
    [[nodiscard]] ByBacking by_backing(Seconds (LatencyEstimate::*what)() const) const;

    std::array<LatencyEstimate, nr_stores> stores_;
};

}  // namespace tmm::core
