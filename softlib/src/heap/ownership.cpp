// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The part of PoolBase that lets objects own others: references that go with an object's content. They are ordinary memory,
// because they are needed when soft memory is gone.
#include <algorithm>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "src/heap/heap_core.hpp"
#include "src/heap/pool_state.hpp"

namespace soft::detail {

void PoolBase::drop_reference(AtomicWord* entry) noexcept {
    if (count_of(entry).fetch_sub(1, std::memory_order_acq_rel) == 1) {
        generation_of(entry).fetch_add(1, std::memory_order_relaxed);
        Chunk::of(entry)->pool->free_entry(entry);
    }
}

bool PoolBase::take_reference(AtomicWord* entry, std::uint32_t generation) noexcept {
    std::atomic<std::uint32_t>& count = count_of(entry);
    std::uint32_t now = count.load(std::memory_order_relaxed);
    do {
        if (now == 0) {
            return false;
        }
    } while (!count.compare_exchange_weak(now, now + 1, std::memory_order_acq_rel, std::memory_order_relaxed));
    if (generation_of(entry).load(std::memory_order_relaxed) != generation) {
        drop_reference(entry);
        return false;
    }
    return true;
}

// Owned objects may own others, in chains of any length. They wait here rather than on the stack.
void PoolBase::drop_references(std::vector<AtomicWord*> entries) noexcept {
    thread_local std::vector<AtomicWord*>* waiting = nullptr;
    if (waiting != nullptr) {
        try {
            waiting->insert(waiting->end(), entries.begin(), entries.end());
            return;
        } catch (const std::bad_alloc&) {
            // Without memory, use the stack.
        }
    }
    auto* const outer = std::exchange(waiting, &entries);
    while (!entries.empty()) {
        AtomicWord* entry = entries.back();
        entries.pop_back();
        drop_reference(entry);
    }
    waiting = outer;
}

bool PoolBase::adopt(const AtomicWord* owner, const std::vector<AtomicWord*>& children) noexcept {
    try {
        {
            const std::lock_guard guard(state_->lock);
            std::vector<AtomicWord*>& owned = state_->owned[owner];
            owned.insert(owned.end(), children.begin(), children.end());
        }
        state_->has_attached.store(true, std::memory_order_relaxed);
        heap_.core_->note_owners();
        return true;
    } catch (const std::bad_alloc&) {
        drop_references(children);
        return false;
    }
}

void PoolBase::own(AtomicWord* owner, AtomicWord* child) {
    if (!adopt(owner, {child})) {
        throw std::bad_alloc();
    }
}

void PoolBase::own_in_rebuild(AtomicWord* child) {
    std::vector<Rebuild>& rebuilds = rebuilds_of_thread();
    try {
        if (rebuilds.empty()) {
            throw std::logic_error("softlib: own() is for reconstructors; elsewhere call owner.own(child)");
        }
        rebuilds.back().owned.push_back(child);
    } catch (...) {
        drop_reference(child);
        throw;
    }
}

void PoolBase::disown(const AtomicWord* owner, std::vector<AtomicWord*> children) noexcept {
    {
        const std::lock_guard guard(state_->lock);
        const auto at = state_->owned.find(owner);
        // Keep only children that are still owned: somebody may have dropped some already, and the entry may own others too.
        std::erase_if(children, [&](AtomicWord* child) {
            if (at == state_->owned.end()) {
                return true;
            }
            const auto one = std::find(at->second.begin(), at->second.end(), child);
            if (one == at->second.end()) {
                return true;
            }
            at->second.erase(one);
            return false;
        });
    }
    drop_references(std::move(children));
}

void PoolBase::drop_attached(const AtomicWord* owner) noexcept {
    if (!state_->has_attached.load(std::memory_order_relaxed)) {
        return;
    }
    state_->pins.erase(owner);
    decltype(state_->owned)::node_type owned;
    {
        const std::lock_guard guard(state_->lock);
        owned = state_->owned.extract(owner);
    }
    if (owned) {
        drop_references(std::move(owned.mapped()));
    }
}

// Owners to visit for each segment that was given back, so that this takes no longer than giving it back.
static constexpr std::uint64_t owners_per_segment = 512;

// Drops children of owners whose segment was given back. If the kernel took a page, only reading finds out, which would keep the
// page's other objects. Such owners are found when somebody misses them, or when their segment goes.
void PoolBase::drop_owned_of_lost() noexcept {
    if (!state_->has_attached.load(std::memory_order_relaxed)) {
        return;
    }
    const std::uint64_t retired = heap_.core_->retired_segments();
    decltype(state_->owned) lost;
    {
        const std::lock_guard guard(state_->lock);
        if ((retired - state_->owners_seen_at) * owners_per_segment < state_->owned.size()) {
            return;
        }
        try {
            lost.reserve(state_->owned.size());
        } catch (const std::bad_alloc&) {
            return;
        }
        state_->owners_seen_at = retired;
        for (auto at = state_->owned.begin(); at != state_->owned.end();) {
            const Word word = at->first->load(std::memory_order_relaxed);
            const auto next = std::next(at);
            const bool is_being_rebuilt = is_building(word);
            if (!is_being_rebuilt && !(has_place(word) && is_current(word))) {
                lost.insert(state_->owned.extract(at));
            }
            at = next;
        }
    }
    for (auto& [owner, children] : lost) {
        drop_references(std::move(children));
    }
}

}  // namespace soft::detail
