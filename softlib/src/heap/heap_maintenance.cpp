// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The part of HeapCore that gives memory back: moves objects and evicts them.
#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "src/base/xorshift64.hpp"
#include "src/heap/heap_core.hpp"

namespace soft::detail {

// While it lives, its thread is the one that gives memory back. Its end publishes the counts and drops objects whose owners have
// gone.
class HeapCore::Maintenance {
public:
    explicit Maintenance(HeapCore& heap) : heap_(heap), lock_(heap.maintenance_) {}
    ~Maintenance() {
        heap_.publish();
        lock_.unlock();
        heap_.drop_owned_of_lost();
    }
    Maintenance(const Maintenance&) = delete;
    Maintenance& operator=(const Maintenance&) = delete;

private:
    HeapCore& heap_;
    std::unique_lock<std::mutex> lock_;
};

bool HeapCore::make_room(std::size_t segments, bool within_limit) {
    const Maintenance maintenance(*this);
    const std::size_t limit = limit_segments_.load(std::memory_order_relaxed);
    // Another thread may have made room while this one waited. If that did not help, addresses or memory are missing.
    bool made = !within_limit && space_.in_use() + segments <= limit;
    while (!made || space_.in_use() + segments > limit) {
        if (evict_oldest() == 0) {
            return made;
        }
        made = true;
    }
    return made;
}

std::size_t HeapCore::evict_oldest() {
    SegmentSpace::Victim victim = space_.claim_victim(probation_);
    if (victim.segment == nullptr) {
        // All segments are being filled, perhaps by threads that store nothing any more.
        flush_buffers();
        space_.close_open();
        victim = space_.claim_victim(probation_);
    }
    if (victim.segment == nullptr) {
        return 0;
    }
    return empty(*victim.segment, victim.is_strict ? Keep::accessed_again : Keep::accessed);
}

void HeapCore::flush_buffers() {
    {
        const std::lock_guard guard(buffers_mutex_);
        for (const std::shared_ptr<Buffer>& one : buffers_) {
            // If the lock is not to be had, the thread keeps its pages.
            if (one->lock.lock()) {
                finish(one->writer);
                one->lock.unlock();
            }
        }
    }
    {
        const std::lock_guard lock(late_lock_);
        finish(late_);
    }
    finish(moving_hot_);
    finish(moving_cold_);
}

// Moves the objects to keep, and gives the segment back. Returns the bytes given back.
std::size_t HeapCore::empty(Segment& segment, Keep keep) {
    const std::size_t bytes = segment.span * segment_bytes;
    // Keeps at most a part of a segment when room is needed: else memory that is all in use would never give any. With probation
    // more of it is worth keeping.
    std::size_t budget = segment_bytes;
    if (keep != Keep::all) {
        budget = probation_ > 0 ? segment_bytes / 4 * 3 : segment_bytes / 2;
    }
    if (keep != Keep::none) {
        for (std::size_t page = 0; page < pages_per_segment && page < segment.pages_handed_out; ++page) {
            budget -= std::min(budget, move_page(segment, page, keep, budget));
        }
    }
    space_.retire(segment);
    counters_.evacuated_segments.fetch_add(1, std::memory_order_relaxed);
    if (space_.wants_sweep()) {
        sweep();
    }
    return bytes;
}

std::size_t HeapCore::move_page(Segment& segment, std::size_t page, Keep keep, std::size_t budget) {
    const std::byte* base = segment.base + page * page_bytes;
    const std::uint16_t tag = current_tag(segment.base);
    if (segment.first_object[page] == Segment::no_object) {
        return 0;
    }
    std::size_t moved = 0;
    for (std::size_t at = segment.first_object[page]; at + handle_bytes <= page_bytes;) {
        const std::byte* from = base + at;
        const std::uint32_t handle = handle_at(from);
        if (!page_has(base, tag) || handle == 0) {
            break;
        }
        const Named named = named_by(handle);
        const bool with_size = named.fixed_size == 0;
        if (!named.is_known || at + (with_size ? 2 : 1) * handle_bytes > page_bytes) {
            break;
        }
        auto size = static_cast<std::uint32_t>(named.fixed_size);
        if (with_size) {
            copy_unsure(&size, from + handle_bytes, sizeof size);
        }
        const ObjectHeader header(handle, size, with_size);
        // Objects of pools that have gone are in the way of others.
        AtomicWord* entry = named.entry;
        const Word word = entry != nullptr ? entry->load(std::memory_order_acquire) : 0;
        if (same_place(word, make_place(from, tag))) {
            const bool is_kept = (word & (keep == Keep::accessed_again ? again_flag : accessed_flag)) != 0 &&
                                 footprint(header.bytes(), header.size()) + moved <= budget;
            if (keep == Keep::all || is_kept) {
                moved += move_object(entry, word, header);
            } else {
                counters_.evicted_objects.fetch_add(1, std::memory_order_relaxed);
            }
        }
        at += footprint(header.bytes(), header.size());
    }
    return moved;
}

std::size_t HeapCore::move_object(AtomicWord* entry, Word word, ObjectHeader header) {
    Word moved = 0;
    try {
        scratch_.resize(std::max<std::size_t>(header.size(), 1));
        if (!copy_large(word, header.bytes(), scratch_.data(), header.size())) {
            return 0;
        }
        const bool hot = (word & accessed_flag) != 0;
        const std::size_t limit = limit_segments_.load(std::memory_order_relaxed) + spare_segments;
        moved = store_into(hot ? moving_hot_ : moving_cold_, hot ? Stream::hot : Stream::cold, limit, header, scratch_.data());
    } catch (const std::bad_alloc&) {
        // Without memory the object is lost, like those without room.
    }
    if (moved == 0) {
        counters_.evicted_objects.fetch_add(1, std::memory_order_relaxed);
        return 0;
    }
    if (probation_ > 0 && (word & again_flag) != 0) {
        moved |= accessed_flag;
    }
    for (Word expected = word;
         !entry->compare_exchange_weak(expected, moved, std::memory_order_release, std::memory_order_relaxed);) {
        if (!same_place(expected, word)) {
            // Another thread wrote it meanwhile. The moved copy is still in the writer's run, or in a segment that is current.
            space_.uncount(moved, footprint(header.bytes(), header.size()), header.with_size());
            return 0;
        }
    }
    counters_.moved_objects.fetch_add(1, std::memory_order_relaxed);
    return footprint(header.bytes(), header.size());
}

// A stale word is known by its segment's tag, until tags begin again. So remove stale words before that.
void HeapCore::sweep() {
    const std::lock_guard guard(chunks_mutex_);
    for (std::uint32_t i = 0; i < nr_chunks_; ++i) {
        Chunk* chunk = chunks_[i].load(std::memory_order_acquire).chunk();
        for (std::size_t slot = 0; chunk != nullptr && slot < Chunk::slots; ++slot) {
            if (chunk->takes(slot)) {
                continue;
            }
            Word word = chunk->word(slot)->load(std::memory_order_relaxed);
            if (has_place(word) && !is_current(word)) {
                // A thread that changed it meanwhile made it current.
                chunk->word(slot)->compare_exchange_strong(word, 0, std::memory_order_relaxed);
            }
        }
    }
    space_.swept();
}

void HeapCore::set_limit(std::size_t bytes) {
    const std::size_t segments = bytes / segment_bytes;
    if (segments < limit_segments_.exchange(segments, std::memory_order_relaxed)) {
        age_pins();
    }
    const Maintenance maintenance(*this);
    while (space_.in_use() > segments && evict_oldest() > 0) {
    }
}

void HeapCore::take_budget(std::size_t bytes, std::size_t held_bytes) {
    if (held_bytes > bytes && held_bytes - bytes > max_budget_step) {
        // Before the limit falls: else a thread that stores would make all the room, by moving.
        release(held_bytes - bytes);
    }
    set_limit(bytes);
}

std::size_t HeapCore::shrink(std::size_t bytes) {
    age_pins();
    const Maintenance maintenance(*this);
    std::size_t given = 0;
    const std::size_t held = held_segments();
    // Memory that the kernel refuses to take back counts here: to evict more would not help.
    const std::size_t before = space_.in_use();
    const std::uint64_t last = space_.last_seal();
    auto given_back = [&] { return before - std::min(before, space_.in_use()); };
    while (given * segment_bytes < bytes) {
        if (Segment* sparse = space_.claim_sparsest(evacuate_below_, last); sparse != nullptr) {
            empty(*sparse, Keep::all);
        } else if (evict_oldest() == 0) {
            break;
        }
        given = given_back();
    }
    return returned_since(held);
}

std::size_t HeapCore::release(std::size_t bytes) {
    age_pins();
    const Maintenance maintenance(*this);
    const std::size_t unreturned = space_.unreturned();
    std::size_t given = 0;
    while (given < bytes) {
        Segment* victim = space_.claim_victim(probation_).segment;
        if (victim == nullptr) {
            break;
        }
        given += empty(*victim, Keep::none);
    }
    // Other threads may use some of it again meanwhile.
    const std::size_t refused = space_.unreturned() - std::min(unreturned, space_.unreturned());
    return given - std::min(given, refused * segment_bytes);
}

std::size_t HeapCore::evacuate() {
    const Maintenance maintenance(*this);
    const std::size_t held = held_segments();
    const std::uint64_t last = space_.last_seal();
    while (Segment* sparse = space_.claim_sparsest(evacuate_below_, last)) {
        empty(*sparse, Keep::all);
    }
    return returned_since(held);
}

void HeapCore::seal() {
    const std::lock_guard guard(maintenance_);
    flush_buffers();
    space_.close_open();
}

std::size_t HeapCore::lose_pages(double probability, std::uint64_t seed) {
    const std::lock_guard guard(maintenance_);
    Xorshift64 random(seed);
    std::size_t lost = 0;
    // put_back() makes each the last one. So go round once, in the order in which they were sealed.
    const std::uint64_t last = space_.last_seal();
    for (Segment* segment = space_.claim_oldest(); segment != nullptr; segment = space_.claim_oldest()) {
        const bool is_round = segment->sealed_as > last;
        if (!is_round) {
            lost += lose_pages_of(*segment, probability, random);
        }
        space_.put_back(*segment);
        if (is_round) {
            break;
        }
    }
    return lost;
}

// One call for pages in a row: the kernel takes most of the time, for each call.
std::size_t HeapCore::lose_pages_of(const Segment& segment, double probability, Xorshift64& random) {
    const std::size_t pages = segment.span * pages_per_segment;
    std::size_t lost = 0;
    for (std::size_t page = 0; page < pages;) {
        std::size_t end = page;
        while (end < pages && random.chance(probability)) {
            ++end;
        }
        if (end > page && os_.lose(segment.base + page * page_bytes, (end - page) * page_bytes)) {
            lost += end - page;
        }
        // The page for which chance() was false stays.
        page = end + 1;
    }
    return lost;
}

}  // namespace soft::detail
