// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/counters/statistics.hpp"

#include <chrono>

namespace soft::detail {

pool_statistics statistics_of(const Slot::OfPool& counters) {
    auto count = [](const Counter& counter) { return counter.load(std::memory_order_relaxed); };
    auto time = [&](const Counter& counter) { return std::chrono::nanoseconds(count(counter)); };
    pool_statistics result;
    result.objects = count(counters.objects);
    result.hits = count(counters.hits);
    result.misses = count(counters.misses);
    result.lost = count(counters.lost);
    result.rebuilds = count(counters.rebuilds);
    result.failed_rebuilds = count(counters.failed_rebuilds);
    result.rebuild_time = time(counters.rebuild_ns);
    result.max_rebuild_time = time(counters.max_rebuild_ns);
    result.cold_rebuilds = count(counters.cold_rebuilds);
    result.cold_rebuild_time = time(counters.cold_rebuild_ns);
    result.validated = count(counters.validated);
    result.mismatches = count(counters.mismatches);
    result.pinned_bytes = count(counters.pinned_bytes);
    return result;
}

}  // namespace soft::detail
