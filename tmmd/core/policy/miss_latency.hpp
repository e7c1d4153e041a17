// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MissLatency: how long a missed page takes to come back, learned from the reads of each store. A plain value; not thread-safe.
#pragma once

#include <array>
#include <cstddef>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

class LatencyEstimate {
public:
    // So many reads stand for the past: older ones fade.
    static constexpr double remembered_reads = 10'000;

    // Reads that took so long together. Without reads nothing happens; negative or unreasonable values are not taken.
    void add(const StoreReads& reads);

    [[nodiscard]] double reads() const { return reads_; }
    [[nodiscard]] Seconds mean() const;
    // 95 % of reads took at most so long, as far as that shows: reads are known by the epoch only, all of an epoch count with
    // their mean. Exact to a quarter of a power of two.
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
    // Until so many reads of a store were seen, a miss is taken for as slow as on the paper's disk (section 4): the safe side.
    static constexpr Seconds unmeasured{0.0025};
    static constexpr double min_reads = 32;

    void add(const std::array<StoreReads, nr_stores>& reads);

    // Seconds a miss costs; anonymous memory that is swapped to several stores: in proportion to their reads.
    [[nodiscard]] ByBacking mean() const;
    [[nodiscard]] ByBacking p95() const;

    [[nodiscard]] const LatencyEstimate& of(Store store) const { return stores_[static_cast<std::size_t>(store)]; }

private:
    [[nodiscard]] ByBacking by_backing(Seconds (LatencyEstimate::*what)() const) const;

    std::array<LatencyEstimate, nr_stores> stores_;
};

}  // namespace tmm::core
