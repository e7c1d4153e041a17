// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "softlib/detail/entry.hpp"
#include "softlib/pool_base.hpp"
#include "src/board.hpp"
#include "src/spin_lock.hpp"

namespace soft {

/// What a thread is rebuilding.
struct pool_base::Rebuild {
    const detail::AtomicWord* entry = nullptr;
    /// It was lost, and nobody had read it for some time.
    bool was_cold = false;
    /// What the reconstructor says that the object owns.
    std::vector<detail::AtomicWord*> owned;
};

struct pool_base::State {
    explicit State(detail::OwnSlot its_slot) : slot(std::move(its_slot)) {}

    /// With the lock held: nobody else writes the number, so it need not be added to at one go.
    void count_objects(int more) noexcept {
        const std::uint64_t before = counters.objects.load(std::memory_order_relaxed);
        counters.objects.store(before + static_cast<std::uint64_t>(std::int64_t{more}), std::memory_order_relaxed);
    }

    detail::SpinLock lock;
    // Under the lock: entries that were used before, in a chain through their words, then those of the last chunk that never
    // were.
    detail::AtomicWord* free = nullptr;
    std::size_t next_slot = detail::Chunk::slots;
    std::vector<detail::Chunk*> chunks;

    /// What objects own, under the lock. An owner is looked for only where there is one.
    std::atomic<bool> has_owners{false};
    std::unordered_map<const detail::AtomicWord*, std::vector<detail::AtomicWord*>> owned;
    /// Segments that had been given back when all owners were last looked at.
    std::uint64_t owners_seen_at = 0;

    detail::OwnSlot slot;
    detail::Slot::OfPool& counters = slot->of_pool;
};

}  // namespace soft
