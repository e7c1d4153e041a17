// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SoftHeap: what a program tells of one heap of soft memory, and what that says about the worth of memory for it. Midas (NSDI'24)
// 4.3.2 probes each program in turn for the worth of a little more memory; here each tells its miss-ratio curve, so that the
// worth of any amount is known at once. Pure; thread-safe.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/quantity.hpp"

namespace tmm::core {

// Reuse distances: bucket i has the uses for which a heap of bucket_end(i) suffices to hit, and one of bucket_end(i - 1) does
// not.
inline constexpr std::size_t nr_reuse_buckets = 256;

// Steps of a sixteenth of a doubling, from 1 MiB to 63 GiB: a loop's cliff is as wide as one.
Bytes bucket_end(std::size_t bucket);

// Rates are per second of the program's other work, all that is no rebuilding, so they do not change with the budget.
struct SoftHeap {
    std::uint64_t id = 0;
    uid_t user = 0;
    std::array<double, nr_reuse_buckets> reuses_per_s{};  // by distance
    double first_uses_per_s = 0;                          // of objects that were never there before
    double real_misses_per_s = 0;                         // that there were of late
    double rebuild_s = 0;                                 // for each miss, on average
    Bytes footprint{0};                                   // of all objects used lately, in the heap or not
    Bytes budget{0};                                      // that the heap has now
    Bytes used{0};                                        // of it
    double known_s = 0;                                   // seconds since its first report

    // Uses a second of other work.
    [[nodiscard]] double uses_per_s() const;

    // Misses a second of other work with so much memory, if the future is like the past.
    [[nodiscard]] double misses_by_curve(Bytes bytes) const;

    // The same, for the division. What was never seen beyond the budget is not known: while the heap still grows into its budget,
    // first uses count as reuses a tenth beyond the footprint, so that a young cache is given a chance. The longer a heap is
    // known, the fewer of them count so, down to half: many programs meet new objects for ever.
    [[nodiscard]] double misses_per_s(Bytes bytes) const;

    // Seconds of rebuilding for each second of other work.
    [[nodiscard]] double rebuilding(Bytes bytes) const { return rebuild_s * misses_per_s(bytes); }

    // 1 / (1 + seconds of rebuilding per second of other work): the speed of the program, from 0 to 1. Since it is bounded, who
    // claims a thousand times the cost gains hardly more than who tells the truth. Programs have no weights: each would claim
    // most.
    [[nodiscard]] double utility(Bytes bytes) const;

    // Whether it has told of any use. Objects outside of soft::cache are not told of, nor is anything at the start.
    [[nodiscard]] bool tells_uses() const;

    // More memory than that is worth nothing; of a heap that tells no uses, it is what it may come to use until the next report.
    [[nodiscard]] Bytes most_useful() const;
};

}  // namespace tmm::core
