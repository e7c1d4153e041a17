// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "softlib/pool_base.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <vector>

#include "src/heap_core.hpp"
#include "src/pool_state.hpp"

namespace soft {
namespace {

using detail::AtomicWord;
using detail::Word;

// What the thread is rebuilding just now: a reconstructor may need other soft objects.
thread_local std::vector<const AtomicWord*> being_rebuilt;

}  // namespace

PoolBase::PoolBase(Heap& heap, std::string_view name, std::size_t fixed_size)
    : heap_(heap), name_(name), fixed_size_(fixed_size), state_(std::make_unique<State>()) {
    heap_.core_->add_pool(this);
}

PoolBase::~PoolBase() {
    heap_.core_->remove_pool(this);
    for (detail::Chunk* chunk : state_->chunks) {
        heap_.core_->free_chunk(chunk);
    }
}

PoolBase::Statistics PoolBase::statistics() const {
    Statistics result;
    result.objects = state_->objects.load(std::memory_order_relaxed);
    result.misses = state_->misses.load(std::memory_order_relaxed);
    result.lost = state_->lost.load(std::memory_order_relaxed);
    result.rebuilds = state_->rebuilds.load(std::memory_order_relaxed);
    result.failed_rebuilds = state_->failed_rebuilds.load(std::memory_order_relaxed);
    result.rebuild_time = std::chrono::nanoseconds(state_->rebuild_ns.load(std::memory_order_relaxed));
    return result;
}

AtomicWord* PoolBase::new_entry() {
    State& state = *state_;
    const std::lock_guard guard(state.lock);
    AtomicWord* entry = state.free;
    if (entry != nullptr) {
        state.free =
            reinterpret_cast<AtomicWord*>(const_cast<std::byte*>(detail::header_of(entry->load(std::memory_order_relaxed))));
    } else {
        if (state.next_slot == detail::Chunk::slots) {
            state.chunks.reserve(state.chunks.size() + 1);
            state.chunks.push_back(heap_.core_->new_chunk(this));
            state.next_slot = detail::Chunk::first_slot;
        }
        entry = state.chunks.back()->word(state.next_slot++);
    }
    entry->store(0, std::memory_order_relaxed);
    state.objects.fetch_add(1, std::memory_order_relaxed);
    return entry;
}

void PoolBase::free_entry(AtomicWord* entry) noexcept {
    clear(entry);
    State& state = *state_;
    const std::lock_guard guard(state.lock);
    entry->store(detail::free_flag | detail::make_place(reinterpret_cast<const std::byte*>(state.free), 0),
                 std::memory_order_relaxed);
    state.free = entry;
    state.objects.fetch_sub(1, std::memory_order_relaxed);
}

void PoolBase::forget(Word word) noexcept {
    if (!detail::has_place(word)) {
        return;
    }
    if (fixed_size_ > 0) {
        heap_.core_->forget(word, detail::footprint(header_bytes(), fixed_size_));
    } else {
        heap_.core_->forget_sized(word);
    }
}

Word PoolBase::copy_in(const AtomicWord* entry, const void* object, std::size_t bytes) noexcept {
    if (bytes > max_object_bytes) {
        return 0;
    }
    return heap_.core_->store({detail::handle_of(entry), static_cast<std::uint32_t>(bytes), fixed_size_ == 0}, object);
}

// Others may wait for the end of a rebuild.
void PoolBase::replace(AtomicWord* entry, Word word) noexcept {
    const Word before = entry->exchange(word, std::memory_order_acq_rel);
    forget(before);
    if ((before & detail::building_flag) != 0) {
        entry->notify_all();
    }
}

bool PoolBase::store(AtomicWord* entry, const void* object, std::size_t bytes) noexcept {
    const Word word = copy_in(entry, object, bytes);
    replace(entry, word);
    return word != 0;
}

bool PoolBase::store_if(AtomicWord* entry, Word expected, const void* object, std::size_t bytes) noexcept {
    const Word word = copy_in(entry, object, bytes);
    for (Word now = expected; !entry->compare_exchange_weak(now, word, std::memory_order_acq_rel, std::memory_order_acquire);) {
        if (!detail::same_place(now, expected)) {
            forget(word);
            return false;
        }
    }
    forget(expected);
    return true;
}

void PoolBase::clear(AtomicWord* entry) noexcept {
    replace(entry, 0);
}

PoolBase::Turn PoolBase::take_turn(AtomicWord* entry) {
    State& state = *state_;
    Word word = entry->load(std::memory_order_acquire);
    for (;;) {
        if ((word & detail::building_flag) != 0) {
            if (std::find(being_rebuilt.begin(), being_rebuilt.end(), entry) != being_rebuilt.end()) {
                throw RecursiveRebuild();
            }
            entry->wait(word, std::memory_order_acquire);
            return Turn::try_again;
        }
        // Somebody may have made a new copy since the caller looked.
        const bool was_there = detail::has_place(word);
        if (was_there && still_whole(word)) {
            return Turn::try_again;
        }
        being_rebuilt.reserve(being_rebuilt.size() + 1);
        if (entry->compare_exchange_weak(word, detail::building_flag, std::memory_order_acq_rel, std::memory_order_acquire)) {
            being_rebuilt.push_back(entry);
            state.misses.fetch_add(1, std::memory_order_relaxed);
            if (was_there) {
                state.lost.fetch_add(1, std::memory_order_relaxed);
                forget(word);
            }
            return Turn::rebuild;
        }
    }
}

bool PoolBase::holds(const AtomicWord* entry) const noexcept {
    const Word word = entry->load(std::memory_order_acquire);
    return detail::has_place(word) && still_whole(word);
}

// All of its pages, of which the first alone may be there.
bool PoolBase::still_whole(Word word) const noexcept {
    std::uint32_t size = static_cast<std::uint32_t>(fixed_size_);
    if (fixed_size_ == 0 && !detail::copy_small(word, detail::handle_bytes, &size, sizeof size)) {
        return false;
    }
    const std::byte* header = detail::header_of(word);
    const std::size_t end = static_cast<std::size_t>(header - detail::page_of(header)) + detail::footprint(header_bytes(), size);
    std::size_t left = end > detail::page_bytes ? end - detail::page_bytes : 0;
    for (const std::byte* page = detail::page_of(header);; page += detail::page_bytes) {
        if (!detail::page_has(page, detail::tag_of(word))) {
            return false;
        }
        if (left == 0) {
            return true;
        }
        left -= std::min(left, detail::page_payload);
    }
}

void PoolBase::end_turn(AtomicWord* entry, Word word) noexcept {
    std::erase(being_rebuilt, entry);
    Word expected = detail::building_flag;
    while (!entry->compare_exchange_weak(expected, word, std::memory_order_acq_rel, std::memory_order_relaxed)) {
        if ((expected & detail::building_flag) == 0) {
            // Somebody wrote it meanwhile, which is newer.
            forget(word);
            return;
        }
    }
    entry->notify_all();
}

void PoolBase::rebuilt(AtomicWord* entry, const void* object, std::size_t bytes, std::chrono::nanoseconds took) noexcept {
    state_->rebuilds.fetch_add(1, std::memory_order_relaxed);
    state_->rebuild_ns.fetch_add(static_cast<std::uint64_t>(took.count()), std::memory_order_relaxed);
    end_turn(entry, copy_in(entry, object, bytes));
}

void PoolBase::not_rebuilt(AtomicWord* entry) noexcept {
    state_->failed_rebuilds.fetch_add(1, std::memory_order_relaxed);
    end_turn(entry, 0);
}

}  // namespace soft
