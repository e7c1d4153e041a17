// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "softlib/detail/entry.hpp"
#include "softlib/pool_base.hpp"
#include "src/spin_lock.hpp"

namespace soft {

struct PoolBase::State {
    detail::SpinLock lock;
    // Under the lock: entries that were used before, in a chain through their words, then those of the last chunk that never
    // were.
    detail::AtomicWord* free = nullptr;
    std::size_t next_slot = detail::Chunk::slots;
    std::vector<detail::Chunk*> chunks;

    std::atomic<std::uint64_t> objects{0};
    std::atomic<std::uint64_t> misses{0};
    std::atomic<std::uint64_t> lost{0};
    std::atomic<std::uint64_t> rebuilds{0};
    std::atomic<std::uint64_t> failed_rebuilds{0};
    std::atomic<std::uint64_t> rebuild_ns{0};
};

}  // namespace soft
