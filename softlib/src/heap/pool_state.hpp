// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "softlib/detail/entry.hpp"
#include "softlib/detail/pool_base.hpp"
#include "src/base/spin_lock.hpp"
#include "src/counters/board.hpp"
#include "src/heap/pins.hpp"
#include "src/heap/rebuild_waits.hpp"

namespace soft::detail {

/// An object that a thread is rebuilding.
struct PoolBase::Rebuild : RebuildMark {
    /// It was lost, and nobody had read it for some time.
    bool was_cold = false;
    /// counted_time() when it began.
    std::chrono::nanoseconds counted{0};
    /// The objects that the reconstructor made it own.
    std::vector<AtomicWord*> owned;
};

struct PoolBase::State {
    explicit State(OwnSlot its_slot) : slot(std::move(its_slot)) {}

    /// With the lock held: no other thread writes the number, so this needs no atomic addition.
    void count_objects(int more) noexcept {
        const std::uint64_t before = counters.objects.load(std::memory_order_relaxed);
        counters.objects.store(before + static_cast<std::uint64_t>(std::int64_t{more}), std::memory_order_relaxed);
    }

    SpinLock lock;
    // Under the lock: first the entries that were used before, chained through their words; then the unused ones of the last
    // chunk.
    AtomicWord* free = nullptr;
    std::size_t next_slot = Chunk::slots;
    std::vector<Chunk*> chunks;

    /// Something in ordinary memory goes with the content of objects: objects that they own, or a pinned value.
    std::atomic<bool> has_attached{false};
    /// Owned objects, under the lock.
    std::unordered_map<const AtomicWord*, std::vector<AtomicWord*>> owned;
    /// Number of retired segments when all owners were last visited.
    std::uint64_t owners_seen_at = 0;

    /// Its rebuilds are told to the heap's reuse watch.
    std::atomic<bool> is_watched{false};

    /// Numbers the rebuilds.
    std::atomic<std::uint64_t> tickets{0};

    OwnSlot slot;
    Slot::OfPool& counters = slot->of_pool;

    /// Has its own locks.
    Pins pins{counters.pinned_bytes};
};

}  // namespace soft::detail
