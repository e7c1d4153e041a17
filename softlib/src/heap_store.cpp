// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The part of HeapCore that stores objects, in pages that each thread has for itself, and counts those that are dropped.
#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "src/heap_core.hpp"

namespace soft::detail {
namespace {

// Garbage that a thread keeps to itself: a lock's worth of waiting for each object would be too much.
constexpr std::size_t worth_noting = std::size_t{64} * 1024;
// Of writes of objects up to this size one in some is counted. A segment has so many of these that it comes out right to some per
// cent; of larger ones it would not, and to copy them takes longer than to count them.
constexpr std::uint32_t seldom_counted_bytes = 256;

// What threads have of heaps. A heap's id is never used again, so what is left of one that is gone does no harm.
struct ThreadBuffers {
    struct Own {
        std::uint64_t heap;
        std::shared_ptr<Buffer> buffer;
    };
    std::vector<Own> own;

    ~ThreadBuffers();
};

// Plain data, which can be read before and after ThreadBuffers lives.
struct LastUsed {
    std::uint64_t heap = 0;
    Buffer* buffer = nullptr;
    bool thread_ends = false;
};
// initial-exec: at a fixed distance from the thread's own pointer, without a call. There is room for so little even where the
// library is loaded by dlopen().
[[gnu::tls_model("initial-exec")]] thread_local LastUsed last_used;

ThreadBuffers::~ThreadBuffers() {
    for (const Own& one : own) {
        one.buffer->orphaned.store(true, std::memory_order_release);
    }
    last_used = {0, nullptr, true};
}

}  // namespace

std::shared_ptr<Buffer> HeapCore::new_buffer() {
    auto made = std::make_shared<Buffer>();
    const std::lock_guard guard(buffers_mutex_);
    // Those of threads that have ended: what they had is finished here.
    std::erase_if(buffers_, [this](const std::shared_ptr<Buffer>& one) {
        if (!one->orphaned.load(std::memory_order_acquire)) {
            return false;
        }
        finish(one->writer);
        one->dropped.tell(space_);
        return true;
    });
    buffers_.push_back(made);
    return made;
}

Buffer* HeapCore::own_buffer() {
    if (last_used.heap == id_) {
        return last_used.buffer;
    }
    if (last_used.thread_ends) {
        return nullptr;
    }
    thread_local ThreadBuffers buffers;
    auto mine =
        std::find_if(buffers.own.begin(), buffers.own.end(), [this](const ThreadBuffers::Own& one) { return one.heap == id_; });
    if (mine == buffers.own.end()) {
        // Those that nobody else has belong to heaps that are gone.
        std::erase_if(buffers.own, [](const ThreadBuffers::Own& one) { return one.buffer.use_count() == 1; });
        mine = buffers.own.insert(buffers.own.end(), {id_, new_buffer()});
    }
    last_used = {id_, mine->buffer.get(), false};
    return last_used.buffer;
}

Word HeapCore::store_span(std::size_t bytes, std::size_t limit, const ObjectHeader& header, const void* object) {
    const std::size_t pages = pages_for(bytes);
    Segment* head = space_.take_span((pages + pages_per_segment - 1) / pages_per_segment, limit);
    if (head == nullptr) {
        return 0;
    }
    const Word place = PageWriter::fill_span(*head, header, object);
    space_.finish(*head);
    return place;
}

void HeapCore::finish(PageWriter& writer) {
    if (writer.has_run()) {
        space_.finish(*writer.stop());
    }
}

Word HeapCore::store_into(PageWriter& writer, Stream stream, std::size_t limit, const ObjectHeader& header, const void* object) {
    if (writer.has_run()) {
        if (const Word place = writer.append(header, object); place != 0) {
            return place;
        }
    }
    const std::size_t pages = pages_for(footprint(header.bytes(), header.size));
    if (pages > pages_per_segment) {
        return store_span(footprint(header.bytes(), header.size), limit, header, object);
    }
    const bool own_pages = pages > run_pages / 2;
    const SegmentSpace::Run run = space_.take_run(stream, own_pages ? pages : run_pages, limit);
    if (run.segment == nullptr) {
        return 0;
    }
    counters_.segment_bytes.store(space_.in_use() * segment_bytes, std::memory_order_relaxed);
    if (own_pages) {
        // What is left of the writer's pages goes on being used.
        PageWriter own;
        own.start(run);
        const Word place = own.append(header, object);
        finish(own);
        return place;
    }
    finish(writer);
    writer.start(run);
    return writer.append(header, object);
}

Word HeapCore::store_through(Buffer* own, std::size_t limit, const ObjectHeader& header, const void* object) {
    if (own == nullptr) {
        const std::lock_guard guard(late_lock_);
        return store_into(late_, Stream::fresh, limit, header, object);
    }
    const OwnerLock::Own guard(own->lock);
    return store_into(own->writer, Stream::fresh, limit, header, object);
}

Word HeapCore::store(const ObjectHeader& header, const void* object) noexcept {
    if (last_used.heap == id_) [[likely]] {
        Buffer& own = *last_used.buffer;
        const OwnerLock::Own guard(own.lock);
        if (const Word place = own.writer.append(header, object); place != 0) [[likely]] {
            return place;
        }
    }
    return store_slowly(header, object);
}

Word HeapCore::store_slowly(const ObjectHeader& header, const void* object) noexcept {
    if (header.size > max_object_bytes || space_.reserved() == 0) {
        return 0;
    }
    try {
        Buffer* own = own_buffer();
        const std::size_t segments =
            (pages_for(footprint(header.bytes(), header.size)) + pages_per_segment - 1) / pages_per_segment;
        for (int attempt = 0; attempt < max_attempts; ++attempt) {
            const std::size_t limit = limit_segments_.load(std::memory_order_relaxed);
            if (segments > limit) {
                return 0;
            }
            if (const Word place = store_through(own, limit, header, object); place != 0) {
                return place;
            }
            if (!make_room(segments, attempt > 0)) {
                return 0;
            }
        }
        return 0;
    } catch (const std::bad_alloc&) {
        return 0;
    }
}

// Without an exchange, and of small objects most often without a look at what was there before: to wait for the entry to come
// from memory would take longer than all else. As it is the store waits for it, and the thread goes on.
//
// If somebody changes the entry meanwhile it is as if that had been before. What he put there counts as in use then until its
// segment is emptied, or what was there is taken off twice. If it was the mark of a rebuild, the end of the rebuild wakes those
// who wait. Release: who sees the place sees the object. Relaxed: what was there is for counting only.
bool HeapCore::write(AtomicWord* entry, const ObjectHeader& header, const void* object) noexcept {
    Word place = 0;
    std::uint32_t stands_for = 1;
    if (last_used.heap == id_) [[likely]] {
        Buffer& own = *last_used.buffer;
        if (!header.with_size && header.size <= seldom_counted_bytes) {
            stands_for = own.counted.stands_for();
        }
        const OwnerLock::Own guard(own.lock);
        place = own.writer.append(header, object);
    }
    if (place == 0 && (place = store_slowly(header, object)) == 0) {
        return false;
    }
    const Word before = stands_for > 0 ? entry->load(std::memory_order_relaxed) : 0;
    entry->store(place, std::memory_order_release);
    if (has_place(before)) {
        if (header.with_size) {
            forget_sized(before);
        } else {
            forget(before, stands_for * footprint(header.bytes(), header.size));
        }
    }
    return true;
}

void HeapCore::forget(Word place, std::size_t footprint) noexcept {
    if (!space_.is_current(place)) {
        return;
    }
    if (last_used.heap != id_) {
        space_.uncount(place, footprint);
        note_garbage(footprint);
        return;
    }
    Buffer& mine = *last_used.buffer;
    mine.dropped.add(space_, place, footprint);
    mine.garbage += footprint;
    if (mine.garbage >= worth_noting) {
        note_garbage(std::exchange(mine.garbage, 0));
    }
}

void HeapCore::forget_sized(Word place) noexcept {
    std::uint32_t size = 0;
    if (copy_small(place, handle_bytes, &size, sizeof size)) {
        forget(place, footprint(2 * handle_bytes, size));
    }
}

}  // namespace soft::detail
