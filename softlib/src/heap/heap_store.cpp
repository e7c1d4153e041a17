// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The part of HeapCore that stores objects, in pages of each thread, and counts dropped ones.
#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "src/heap/heap_core.hpp"

namespace soft::detail {
namespace {

// Garbage that a thread keeps to itself: to take a lock for each object would be too much waiting.
constexpr std::size_t worth_noting = std::size_t{64} * 1024;
// A thread's buffers, one a heap. A heap's id is never used again, so a buffer of a heap that is gone does no harm.
struct ThreadBuffers {
    struct Own {
        std::uint64_t heap;
        std::shared_ptr<Buffer> buffer;
    };
    std::vector<Own> own;

    ~ThreadBuffers();
};

ThreadBuffers::~ThreadBuffers() {
    for (const Own& one : own) {
        one.buffer->orphaned.store(true, std::memory_order_release);
    }
    last_used = {0, nullptr, true};
}

}  // namespace

constinit thread_local LastUsed last_used;

std::shared_ptr<Buffer> HeapCore::new_buffer() {
    auto made = std::make_shared<Buffer>();
    const std::lock_guard guard(buffers_mutex_);
    // Finishes the buffers of threads that have ended.
    std::erase_if(buffers_, [this](const std::shared_ptr<Buffer>& one) {
        if (!one->orphaned.load(std::memory_order_acquire)) {
            return false;
        }
        finish(one->writer);
        one->dropped.flush(space_);
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
        // Buffers that nobody else has belong to heaps that are gone.
        std::erase_if(buffers.own, [](const ThreadBuffers::Own& one) { return one.buffer.use_count() == 1; });
        mine = buffers.own.insert(buffers.own.end(), {id_, new_buffer()});
    }
    last_used = {id_, mine->buffer.get(), false};
    return last_used.buffer;
}

Word HeapCore::store_span(std::size_t bytes, std::size_t limit, ObjectHeader header, const void* object) {
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

Word HeapCore::store_into(PageWriter& writer, Stream stream, std::size_t limit, ObjectHeader header, const void* object) {
    if (writer.has_run()) {
        if (const Word place = writer.append(header, object); place != 0) {
            return place;
        }
    }
    const std::size_t pages = pages_for(footprint(header.bytes(), header.size()));
    if (pages > pages_per_segment) {
        return store_span(footprint(header.bytes(), header.size()), limit, header, object);
    }
    const bool own_pages = pages > run_pages / 2;
    const SegmentSpace::Run run = space_.take_run(stream, own_pages ? pages : run_pages, limit);
    if (run.segment == nullptr) {
        return 0;
    }
    counters_.segment_bytes.store(space_.in_use() * segment_bytes, std::memory_order_relaxed);
    if (own_pages) {
        // The rest of the writer's pages stays in use.
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

Word HeapCore::store_through(Buffer* own, std::size_t limit, ObjectHeader header, const void* object) {
    if (own == nullptr) {
        const std::lock_guard guard(late_lock_);
        return store_into(late_, Stream::fresh, limit, header, object);
    }
    const OwnerLock::Own guard(own->lock);
    return store_into(own->writer, Stream::fresh, limit, header, object);
}

Word HeapCore::store_slowly(ObjectHeader header, const void* object) noexcept {
    if (header.size() > max_object_bytes || space_.reserved() == 0) {
        return 0;
    }
    try {
        replace_keeper();
        Buffer* own = own_buffer();
        const std::size_t segments =
            (pages_for(footprint(header.bytes(), header.size())) + pages_per_segment - 1) / pages_per_segment;
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

bool HeapCore::write(AtomicWord* entry, ObjectHeader header, const void* object) noexcept {
    const Word place = store(header, object);
    return place != 0 && put_in_place(entry, header, place);
}

bool HeapCore::put_in_place(AtomicWord* entry, ObjectHeader header, Word place) noexcept {
    const std::size_t bytes = footprint(header.bytes(), header.size());
    std::size_t stands_for = bytes;
    if (!header.with_size() && last_used.heap == id_) {
        ByteSampler& sampler = last_used.buffer->write_sampler;
        stands_for = sampler.passes(bytes) ? 0 : sampler.stands_for(bytes);
    }
    const Word before = stands_for > 0 ? entry->load(std::memory_order_relaxed) : 0;
    entry->store(place, std::memory_order_release);
    if (has_place(before)) {
        if (header.with_size()) {
            forget_sized(before);
        } else {
            forget(before, stands_for);
        }
    }
    return true;
}

void HeapCore::forget(Word place, std::size_t footprint, bool with_size) noexcept {
    if (!is_current(place)) {
        return;
    }
    if (last_used.heap != id_) {
        space_.uncount(place, footprint, with_size);
        note_garbage(footprint);
        return;
    }
    Buffer& mine = *last_used.buffer;
    mine.dropped.add(space_, place, footprint, with_size);
    mine.garbage += footprint;
    if (mine.garbage >= worth_noting) {
        note_garbage(std::exchange(mine.garbage, 0));
    }
}

void HeapCore::forget_sized(Word place) noexcept {
    if (!is_current(place)) {
        // To look at its size would bring back pages that were given away.
        return;
    }
    std::uint32_t size = 0;
    if (is_same_use(place, copy_small(place, handle_bytes, &size, sizeof size))) {
        forget(place, footprint(2 * handle_bytes, size), true);
    } else if (is_current(place)) {
        // The kernel took the page.
        note_garbage(space_.uncount_unknown(place));
    }
}

}  // namespace soft::detail
