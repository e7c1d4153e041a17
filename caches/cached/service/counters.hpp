// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Counters: what the commands of one worker did. Each worker has its own, so that workers do not contend. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tmm::caches {

enum class Count : std::uint8_t {
    cmd_get,
    cmd_set,
    cmd_flush,
    cmd_touch,
    cmd_meta,
    get_hits,
    get_misses,
    delete_misses,
    delete_hits,
    incr_misses,
    incr_hits,
    decr_misses,
    decr_hits,
    cas_misses,
    cas_hits,
    cas_badval,
    touch_hits,
    touch_misses,
    store_too_large,
    store_no_memory,
    auth_cmds,
    auth_errors,
    total_items,
    number,  // of these
};

class alignas(64) Counters {
public:
    void add(Count count) { of(count).fetch_add(1, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t get(Count count) const {
        return counts_[static_cast<std::size_t>(count)].load(std::memory_order_relaxed);
    }
    void reset() {
        for (auto& count : counts_)
            count.store(0, std::memory_order_relaxed);
    }

private:
    std::atomic<std::uint64_t>& of(Count count) { return counts_[static_cast<std::size_t>(count)]; }
    std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(Count::number)> counts_{};
};

}  // namespace tmm::caches
