// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <chrono>
#include <cstdint>

#include "softlib/detail/language.hpp"

namespace soft {

/// Counts of a pool since it was made; `objects` and `pinned_bytes` are present numbers.
struct pool_statistics {
    /// Objects that exist now, with or without content.
    std::uint64_t objects = 0;
    /// Reads that found the object. An estimate from one read in some dozens, later some hundreds: an exact count would cost more
    /// than the read. Exact while a test loses or validates reads.
    std::uint64_t hits = 0;
    /// Reads that found the object gone.
    std::uint64_t misses = 0;
    /// Misses whose object was taken: by the kernel, release(), or an eviction. The other misses are of objects that were never
    /// built.
    std::uint64_t lost = 0;
    /// Calls of the reconstructor that made the object.
    std::uint64_t rebuilds = 0;
    /// Calls of the reconstructor that failed.
    std::uint64_t failed_rebuilds = 0;
    /// Total time of the rebuilds that succeeded.
    std::chrono::nanoseconds rebuild_time{0};
    /// Time of the longest of them.
    std::chrono::nanoseconds max_rebuild_time{0};
    /// Rebuilds of lost objects that nobody had read for some time: the heap and the kernel take such objects first.
    std::uint64_t cold_rebuilds = 0;
    /// Total time of these.
    std::chrono::nanoseconds cold_rebuild_time{0};
    /// Rebuilds that validate_reads() compared.
    std::uint64_t validated = 0;
    /// Comparisons that differed.
    std::uint64_t mismatches = 0;
    /// Bytes of the values that pin() shares now, as they are stored: ordinary memory.
    std::uint64_t pinned_bytes = 0;
};

}  // namespace soft
