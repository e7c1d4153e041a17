// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MissLatency: learns how long a missed page takes to return, from the reads of each store. A plain value; not thread-safe.
#pragma once

#include <array>
#include <cstddef>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

// LatencyEstimate: the usual time of a read of one store. A contribution that is swapped out fills the store's queue, and a few
// reads then wait a hundred times as long as usual. So it takes many epochs to say otherwise.
class LatencyEstimate {
public:
    // It begins as if so many reads had taken the time of the paper's disk (section 4): the safe side.
    static constexpr Seconds unmeasured{0.0025};
    static constexpr double assumed_reads = 64;
    // Reads of one epoch waited in the same queue, so they count as at most this many.
    static constexpr double max_reads_of_epoch = 16;
    // The past counts as at most this many reads: older ones fade.
    static constexpr double remembered_reads = 10'000;
    // Epochs whose reads took more than this many times the median do not count.
    static constexpr int max_of_median = 4;

    LatencyEstimate();

    // Adds the reads of an epoch and their total time. Ignores an empty set and values that are negative or not finite.
    void add(const StoreReads& reads);
    // Replaces all by what reads() and usual() were.
    void restore(double reads, Seconds usual);

    // Returns the reads that were seen, at most remembered_reads.
    [[nodiscard]] double reads() const { return reads_; }
    // Whether usual() rests on reads more than on the assumption.
    [[nodiscard]] bool is_measured() const { return counted_ >= assumed_reads; }
    // Returns the mean latency of the epochs that count.
    [[nodiscard]] Seconds usual() const;

private:
    // Quarter powers of two from 2^-20 s (1 us) to 2^4 s.
    static constexpr std::size_t nr_buckets = std::size_t{24} * 4;

    struct Bucket {
        double reads = 0;
        Seconds time{0};
    };

    void count(double reads, Seconds each);

    double reads_ = 0;
    double counted_ = 0;                           // of these
    std::array<Bucket, nr_buckets> by_latency_{};  // epochs, by the mean latency of their reads
};

class MissLatency {
public:
    void add(const std::array<StoreReads, nr_stores>& reads);

    // Returns the seconds that a miss takes. Anonymous memory that is swapped to several stores counts in proportion to their
    // reads.
    [[nodiscard]] ByBacking usual() const;

    [[nodiscard]] const LatencyEstimate& of(Store store) const { return stores_[static_cast<std::size_t>(store)]; }
    [[nodiscard]] LatencyEstimate& of(Store store) { return stores_[static_cast<std::size_t>(store)]; }

private:
    std::array<LatencyEstimate, nr_stores> stores_;
};

}  // namespace tmm::core
