// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "softlib/detail/pool_base.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <vector>

#include "softlib/advice.hpp"
#include "softlib/detail/read_sampling.hpp"
#include "softlib/pool.hpp"
#include "src/counters/statistics.hpp"
#include "src/heap/heap_core.hpp"
#include "src/heap/pool_state.hpp"
#include "src/heap/read_sampling.hpp"
#include "src/reuse/counted_time.hpp"

namespace soft::detail {

// Objects that the thread is rebuilding, outermost first: a reconstructor may need other soft objects.
std::vector<PoolBase::Rebuild>& PoolBase::rebuilds_of_thread() noexcept {
    thread_local std::vector<Rebuild> rebuilds;
    return rebuilds;
}

PoolBase::PoolBase(soft::heap& heap, std::string_view name, std::size_t fixed_size)
    : heap_(heap),
      name_(name),
      fixed_size_(fixed_size),
      state_(std::make_unique<State>(take_slot(Slot::Kind::pool, static_cast<std::uint32_t>(heap.core_->id()), name))) {
    heap_.core_->add_pool(this);
}

PoolBase::~PoolBase() {
    give_advice();
    heap_.core_->remove_pool(this);
    for (auto& [owner, children] : state_->owned) {
        drop_references(std::move(children));
    }
    for (Chunk* chunk : state_->chunks) {
        heap_.core_->free_chunk(chunk);
    }
}

ReuseWatch& PoolBase::feed_reuse_watch() noexcept {
    state_->is_watched.store(true, std::memory_order_relaxed);
    return heap_.core_->reuse_watch();
}

pool_statistics PoolBase::statistics() const {
    return statistics_of(state_->counters);
}

std::shared_ptr<const void> PoolBase::find_pinned(const AtomicWord* entry, Word word) noexcept {
    return state_->pins.find(entry, word);
}

void PoolBase::add_pin(const AtomicWord* entry, Word word, const std::shared_ptr<const void>& value, std::size_t bytes) {
    // A thread that is writing the object and did not see this leaves a pin of its former copy, which find() does not return.
    state_->has_attached.store(true, std::memory_order_relaxed);
    state_->pins.add(entry, word, value, bytes);
}

void PoolBase::set_pinned_limit(std::size_t bytes) noexcept {
    state_->pins.set_limit(bytes);
}

void PoolBase::give_advice() const noexcept {
    const char* wanted = secure_getenv("SOFTLIB_ADVICE");
    if (wanted == nullptr || *wanted != '1') {
        return;
    }
    try {
        for (const std::string& sentence : advice(statistics())) {
            std::fprintf(stderr, "softlib: pool '%s': %s\n", name_.c_str(), sentence.c_str());
        }
    } catch (const std::exception&) {
        // Without memory there is no advice.
    }
}

// With the lock held.
AtomicWord* PoolBase::next_unused_entry() {
    State& state = *state_;
    for (;;) {
        if (state.next_slot == Chunk::slots) {
            state.chunks.reserve(state.chunks.size() + 1);
            state.chunks.push_back(heap_.core_->new_chunk(this));
            state.next_slot = 0;
        }
        const std::size_t slot = state.next_slot++;
        if (Chunk* chunk = state.chunks.back(); !chunk->takes(slot)) {
            return chunk->word(slot);
        }
    }
}

AtomicWord* PoolBase::new_entry() {
    State& state = *state_;
    const std::lock_guard guard(state.lock);
    AtomicWord* entry = state.free;
    if (entry != nullptr) {
        state.free = next_free(entry->load(std::memory_order_relaxed));
    } else {
        entry = next_unused_entry();
    }
    entry->store(0, std::memory_order_relaxed);
    state.count_objects(1);
    return entry;
}

// No other thread knows the entry yet, and it owns nothing. So no exchange is needed.
AtomicWord* PoolBase::new_entry(const void* object, std::size_t bytes) {
    AtomicWord* entry = new_entry();
    entry->store(copy_in(entry, object, bytes), std::memory_order_release);
    return entry;
}

void PoolBase::free_entry(AtomicWord* entry) noexcept {
    clear(entry);
    State& state = *state_;
    const std::lock_guard guard(state.lock);
    entry->store(make_free(state.free), std::memory_order_relaxed);
    state.free = entry;
    state.count_objects(-1);
}

void PoolBase::forget(Word word) noexcept {
    if (!has_place(word)) {
        return;
    }
    if (fixed_size_ > 0) {
        heap_.core_->forget(word, footprint(header_bytes(), fixed_size_));
    } else {
        heap_.core_->forget_sized(word);
    }
}

Word PoolBase::copy_in(const AtomicWord* entry, const void* object, std::size_t bytes) noexcept {
    if (bytes > max_object_bytes) {
        return 0;
    }
    return heap_.core_->store({handle_of(entry), bytes, fixed_size_ == 0}, object);
}

bool PoolBase::store(AtomicWord* entry, const void* object, std::size_t bytes) noexcept {
    if (fixed_size_ > 0 && bytes <= in_one_page && !state_->has_attached.load(std::memory_order_relaxed) &&
        heap_.core_->write_at_once(entry, {handle_of(entry), bytes, false}, object)) [[likely]] {
        return true;
    }
    return store_slowly(entry, object, bytes);
}

bool PoolBase::store_slowly(AtomicWord* entry, const void* object, std::size_t bytes) noexcept {
    const bool kept = bytes <= max_object_bytes && heap_.core_->write(entry, {handle_of(entry), bytes, fixed_size_ == 0}, object);
    if (!kept) {
        // The new content is lost.
        clear(entry);
    }
    drop_attached(entry);
    return kept;
}

bool PoolBase::store_if(AtomicWord* entry, Word expected, const void* object, std::size_t bytes) noexcept {
    // An entry without content has nothing to replace: to store would revive what somebody cleared, or end another's rebuild.
    if (!has_place(expected)) {
        return false;
    }
    const Word word = copy_in(entry, object, bytes);
    for (Word now = expected; !entry->compare_exchange_weak(now, word, std::memory_order_acq_rel, std::memory_order_acquire);) {
        if (!same_place(now, expected)) {
            forget(word);
            return false;
        }
    }
    forget(expected);
    drop_attached(entry);
    return true;
}

void PoolBase::clear(AtomicWord* entry) noexcept {
    const Word before = entry->exchange(0, std::memory_order_acq_rel);
    forget(before);
    drop_attached(entry);
    // Other threads may wait for the end of a rebuild.
    if (is_building(before)) {
        entry->notify_all();
    }
}

void PoolBase::wait_for_rebuild(AtomicWord* entry, Word word) {
    const std::vector<Rebuild>& rebuilds = rebuilds_of_thread();
    std::optional<RebuildWait> waiting;
    if (!rebuilds.empty()) {
        waiting.emplace(std::vector<RebuildMark>(rebuilds.begin(), rebuilds.end()), entry, word);
        if (waiting->would_be_circle()) {
            throw recursive_rebuild();
        }
    }
    const auto start = std::chrono::steady_clock::now();
    entry->wait(word, std::memory_order_acquire);
    // The other thread's rebuild takes that.
    counted_time() += std::chrono::steady_clock::now() - start;
}

PoolBase::Turn PoolBase::take_turn(AtomicWord* entry) {
    std::vector<Rebuild>& rebuilds = rebuilds_of_thread();
    Word word = entry->load(std::memory_order_acquire);
    for (;;) {
        // Another thread may have stored a copy since the caller looked.
        const bool was_there = has_place(word);
        if (was_there && still_whole(word)) {
            return Turn::try_again;
        }
        // Whatever the word: a reconstructor that clears its object and reads it would never end.
        if (std::any_of(rebuilds.begin(), rebuilds.end(), [&](const Rebuild& one) { return one.entry == entry; })) {
            throw recursive_rebuild();
        }
        if (is_building(word)) {
            wait_for_rebuild(entry, word);
            return Turn::try_again;
        }
        rebuilds.reserve(rebuilds.size() + 1);
        const Word mark = make_mark(state_->tickets.fetch_add(1, std::memory_order_relaxed));
        if (entry->compare_exchange_weak(word, mark, std::memory_order_acq_rel, std::memory_order_acquire)) {
            rebuilds.push_back({{entry, mark}, was_there && (word & accessed_flag) == 0, counted_time(), {}});
            state_->counters.misses.fetch_add(1, std::memory_order_relaxed);
            if (was_there) {
                state_->counters.lost.fetch_add(1, std::memory_order_relaxed);
                forget(word);
            }
            drop_attached(entry);
            return Turn::rebuild;
        }
    }
}

bool PoolBase::note_first_access(AtomicWord* entry, Word word, std::uint16_t found) noexcept {
    if (!is_same_use(word, found)) {
        return false;
    }
    note_access(entry, word);
    return true;
}

bool PoolBase::holds(const AtomicWord* entry) const noexcept {
    const Word word = entry->load(std::memory_order_acquire);
    return has_place(word) && still_whole(word);
}

// Checks all pages of the object: the first alone may be there.
bool PoolBase::still_whole(Word word) const noexcept {
    if (!is_current(word)) {
        // A look at its memory would bring back pages that were given away.
        return false;
    }
    std::uint32_t size = static_cast<std::uint32_t>(fixed_size_);
    const std::uint16_t found = copy_small(word, handle_bytes, &size, fixed_size_ == 0 ? sizeof size : 0);
    if (!is_same_use(word, found)) {
        return false;
    }
    const std::byte* header = header_of(word);
    const std::size_t end = static_cast<std::size_t>(header - page_of(header)) + footprint(header_bytes(), size);
    std::size_t left = end > page_bytes ? end - page_bytes : 0;
    for (const std::byte* page = page_of(header);; page += page_bytes) {
        if (!page_has(page, tag_of(word))) {
            return false;
        }
        if (left == 0) {
            return true;
        }
        left -= std::min(left, page_payload);
    }
}

bool PoolBase::end_turn(AtomicWord* entry, Word mark, Word word) noexcept {
    Word expected = mark;
    while (!entry->compare_exchange_weak(expected, word, std::memory_order_acq_rel, std::memory_order_acquire)) {
        if (!is_mark(expected, mark)) {
            // Another thread wrote or cleared it meanwhile, and perhaps a third one rebuilds it from a newer source. A writer
            // does not look whether others wait. Acquire above: threads are woken for a change that they can see.
            forget(word);
            entry->notify_all();
            return false;
        }
    }
    entry->notify_all();
    return true;
}

void PoolBase::rebuilt(AtomicWord* entry, const void* object, std::size_t bytes, std::chrono::nanoseconds took) noexcept {
    const Rebuild rebuild = std::move(rebuilds_of_thread().back());
    rebuilds_of_thread().pop_back();
    const std::chrono::nanoseconds own = count_rest(took, rebuild.counted);
    if (state_->is_watched.load(std::memory_order_relaxed)) {
        heap_.core_->reuse_watch().rebuilt(own);
    }
    Slot::OfPool& counters = state_->counters;
    const auto ns = static_cast<std::uint64_t>(took.count());
    counters.rebuilds.fetch_add(1, std::memory_order_relaxed);
    counters.rebuild_ns.fetch_add(ns, std::memory_order_relaxed);
    if (rebuild.was_cold) {
        counters.cold_rebuilds.fetch_add(1, std::memory_order_relaxed);
        counters.cold_rebuild_ns.fetch_add(ns, std::memory_order_relaxed);
    }
    std::uint64_t max = counters.max_rebuild_ns.load(std::memory_order_relaxed);
    while (max < ns && !counters.max_rebuild_ns.compare_exchange_weak(max, ns, std::memory_order_relaxed)) {
    }

    // First record the owned objects: once the content is there, it can be lost again.
    Word word = copy_in(entry, object, bytes);
    if (!rebuild.owned.empty() && !adopt(entry, rebuild.owned)) {
        forget(word);
        word = 0;
    }
    if (!end_turn(entry, rebuild.mark, word) && !rebuild.owned.empty()) {
        disown(entry, rebuild.owned);
    }
}

void PoolBase::not_rebuilt(AtomicWord* entry) noexcept {
    Rebuild rebuild = std::move(rebuilds_of_thread().back());
    rebuilds_of_thread().pop_back();
    state_->counters.failed_rebuilds.fetch_add(1, std::memory_order_relaxed);
    end_turn(entry, rebuild.mark, 0);
    drop_references(std::move(rebuild.owned));
}

void PoolBase::sample_read(AtomicWord* entry) noexcept {
    const std::uint64_t reads = begin_interval();
    Word word = entry->load(std::memory_order_acquire);
    if (!has_place(word) || !still_whole(word)) {
        return;
    }
    if (!loses_sample()) {
        state_->counters.hits.fetch_add(reads, std::memory_order_relaxed);
    } else if (entry->compare_exchange_strong(word, 0, std::memory_order_acq_rel, std::memory_order_relaxed)) {
        state_->counters.lost.fetch_add(1, std::memory_order_relaxed);
        forget(word);
        drop_attached(entry);
    }
}

namespace {

thread_local bool validating = false;

}  // namespace

bool PoolBase::begins_validation() noexcept {
    if (validating || !validates_sample()) {
        return false;
    }
    try {
        // Takes what the reconstructor owns. Without it an outer rebuild would get that.
        rebuilds_of_thread().emplace_back();
    } catch (const std::bad_alloc&) {
        return false;
    }
    validating = true;
    return true;
}

void PoolBase::end_validation(std::optional<bool> same) noexcept {
    validating = false;
    std::vector<AtomicWord*> owned = std::move(rebuilds_of_thread().back().owned);
    rebuilds_of_thread().pop_back();
    drop_references(std::move(owned));
    if (!same) {
        return;
    }
    state_->counters.validated.fetch_add(1, std::memory_order_relaxed);
    if (!*same && state_->counters.mismatches.fetch_add(1, std::memory_order_relaxed) == 0) {
        std::fprintf(stderr, "softlib: the reconstructor of pool '%s' made a different object; see validate_reads()\n",
                     name_.c_str());
    }
}

}  // namespace soft::detail
