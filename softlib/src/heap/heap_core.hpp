// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The core of a heap: gives places to the threads that store objects, makes room at the limit, and moves objects out of sparse
// segments.
//
// Lock order: pools, a pool, its pins', the keeper's, maintenance, buffers, a buffer, chunks, the reuse watch's, the segments'
// (inside SegmentSpace). Objects may own others in another heap: a thread that has the lock of one heap's pools may want a pool's
// or a keeper's lock of any heap. Of the later locks no thread has two of different heaps, but for fork().
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "softlib/detail/pool_base.hpp"
#include "softlib/detail/reuse_watch.hpp"
#include "softlib/heap.hpp"
#include "src/base/owner_lock.hpp"
#include "src/base/spin_lock.hpp"
#include "src/base/xorshift64.hpp"
#include "src/counters/board.hpp"
#include "src/segments/byte_sampler.hpp"
#include "src/segments/dropped.hpp"
#include "src/segments/page_writer.hpp"
#include "src/segments/segment_space.hpp"

namespace soft::detail {

/// A thread's part of a heap.
struct Buffer {
    /// Guards the writer, whose pages maintenance takes. The rest belongs to the thread alone until it has ended.
    OwnerLock lock;
    PageWriter writer;
    Dropped dropped;
    /// Chooses the writes that are counted.
    ByteSampler write_sampler;
    /// Bytes that the thread dropped since it last called note_garbage().
    std::size_t garbage = 0;
    /// The thread has ended.
    std::atomic<bool> orphaned{false};
};

/// A slot of the table of chunks: a chunk; or, if that has gone, the size of its objects and the next free slot of that size.
/// Headers of such objects are still in segments, and to find the object behind one takes its size. So only a chunk with objects
/// of the same size may take the slot.
class ChunkSlot {
public:
    static constexpr std::uint32_t no_slot = 0xfffff;

    ChunkSlot() = default;
    explicit ChunkSlot(Chunk* chunk) : bits_(reinterpret_cast<std::uintptr_t>(chunk)) {}
    ChunkSlot(std::size_t object_size, std::uint32_t next_free)
        : bits_(1U | (std::uint64_t{object_size} << size_shift) | (std::uint64_t{next_free} << next_shift)) {}

    /// nullptr if there is none.
    [[nodiscard]] Chunk* chunk() const {
        return is_free() ? nullptr : reinterpret_cast<Chunk*>(static_cast<std::uintptr_t>(bits_));
    }
    /// Whether there was a chunk that has gone.
    [[nodiscard]] bool is_free() const { return (bits_ & 1U) != 0; }
    [[nodiscard]] std::size_t object_size() const { return static_cast<std::uint32_t>(bits_ >> size_shift); }
    [[nodiscard]] std::uint32_t next_free() const { return static_cast<std::uint32_t>(bits_ >> next_shift); }

private:
    static constexpr unsigned size_shift = 1;
    static constexpr unsigned next_shift = 33;
    std::uint64_t bits_ = 0;
};

/// The buffer that the thread used last. Plain data, which can be read before and after the thread's other variables live.
struct LastUsed {
    std::uint64_t heap = 0;
    Buffer* buffer = nullptr;
    bool thread_ends = false;
};
// initial-exec: at a fixed distance from the thread's own pointer, without a call. Even a library loaded by dlopen() has room for
// so few bytes.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local LastUsed last_used;

class HeapCore {
public:
    explicit HeapCore(const heap_options& options);
    ~HeapCore();
    HeapCore(const HeapCore&) = delete;
    HeapCore& operator=(const HeapCore&) = delete;

    /// Copies the object into the calling thread's pages, where no reader knows of it yet. Returns 0 if there is no room.
    Word store(ObjectHeader header, const void* object) noexcept {
        const Word place = store_at_once(header, object);
        return place != 0 ? place : store_slowly(header, object);
    }
    /// Makes the object the content of an entry. Returns false if there is no room; then the entry is as it was.
    ///
    /// Uses no exchange, and for small objects most often does not read the old word: waiting for the entry to come from memory
    /// would take longer than all the rest. So the store waits for it, and the thread goes on.
    ///
    /// If another thread changes the entry meanwhile, its change counts as earlier. Then its copy counts as in use until its
    /// segment is emptied, or the old copy is subtracted twice. If it was the mark of a rebuild, the end of the rebuild wakes the
    /// threads that wait. Release: a thread that sees the place sees the object. Relaxed: the old word is for counting only.
    bool write(AtomicWord* entry, ObjectHeader header, const void* object) noexcept;
    /// As write() if it takes a few instructions without a call; otherwise returns false and leaves it to write(). Several writes
    /// at a time are under way in the processor, bounded above all by their stores, and calls make many.
    [[gnu::always_inline]] inline bool write_at_once(AtomicWord* entry, ObjectHeader header, const void* object) noexcept {
        const Word place = store_at_once(header, object);
        if (place == 0) [[unlikely]] {
            return false;
        }
        if (!header.with_size() && last_used.buffer->write_sampler.passes(footprint(header.bytes(), header.size()))) [[likely]] {
            entry->store(place, std::memory_order_release);
            return true;
        }
        return put_in_place(entry, header, place);
    }
    /// The copy is not needed any more. `with_size`: as in ObjectHeader.
    void forget(Word place, std::size_t footprint, bool with_size = false) noexcept;
    /// For objects with their size in the header: reads it, if it is still there.
    void forget_sized(Word place) noexcept;

    void add_pool(PoolBase* pool);
    void remove_pool(PoolBase* pool) noexcept;
    Chunk* new_chunk(PoolBase* pool);
    void free_chunk(Chunk* chunk) noexcept;

    /// The limit that `bytes` stands for, which may be default_limit.
    static std::size_t limit_of(std::size_t bytes);
    void set_limit(std::size_t bytes);
    /// As heap::set_limit().
    void bound(std::size_t bytes);
    /// Of what a source sets; default_limit: none.
    [[nodiscard]] std::size_t largest_limit() const { return largest_limit_.load(std::memory_order_relaxed); }
    void follow(std::unique_ptr<budget_source> source);
    std::size_t shrink(std::size_t bytes);
    std::size_t release(std::size_t bytes);
    std::size_t evacuate();
    void seal();
    std::size_t lose_pages(double probability, std::uint64_t seed);
    [[nodiscard]] heap_statistics statistics();
    [[nodiscard]] std::size_t segment_bytes_in_use() const { return space_.in_use() * segment_bytes; }

    [[nodiscard]] std::size_t lazy_free_bytes();

    [[nodiscard]] std::uint64_t id() const { return id_; }
    [[nodiscard]] ReuseWatch& reuse_watch() { return reuse_watch_; }
    [[nodiscard]] std::uint64_t retired_segments() const { return counters_.evacuated_segments.load(std::memory_order_relaxed); }
    /// Some objects own others: see drop_owned_of_lost().
    void note_owners() { has_owners_.store(true, std::memory_order_relaxed); }

    /// Handlers of fork(). Each stage is for all heaps before the next one.
    enum class ForkStage : std::uint8_t { pools, each_pool, keeper_and_rest };
    void before_fork(ForkStage stage);
    void after_fork_in_parent();
    void after_fork_in_child();

private:
    static constexpr std::size_t max_chunks = std::size_t{1} << (32 - Chunk::slot_bits);
    static constexpr std::size_t run_pages = 16;
    /// Segments that maintenance may take beyond the limit while it makes room.
    static constexpr std::size_t spare_segments = 2;

    /// A thread gives up after so many attempts in which others took its room. Then the object is lost, as the program must
    /// expect anyway.
    static constexpr int max_attempts = 16;

    enum class Keep : std::uint8_t { all, accessed, accessed_again, none };
    class Maintenance;

    std::shared_ptr<Buffer> new_buffer();
    /// Returns nullptr if the thread's own variables are gone already.
    Buffer* own_buffer();
    /// Stores into the page that the thread is filling. Returns 0 if that needs store_slowly().
    [[gnu::always_inline]] inline Word store_at_once(ObjectHeader header, const void* object) noexcept {
        if (last_used.heap != id_) [[unlikely]] {
            return 0;
        }
        Buffer& own = *last_used.buffer;
        if (!own.lock.try_own()) [[unlikely]] {
            return 0;
        }
        const Word place = own.writer.append_easily(header, object);
        own.lock.let_go();
        return place;
    }
    /// The second half of write(). Returns true.
    bool put_in_place(AtomicWord* entry, ObjectHeader header, Word place) noexcept;
    /// The part of store() for threads without pages or with no room left in them.
    Word store_slowly(ObjectHeader header, const void* object) noexcept;
    /// Stores through the thread's own pages, or late_.
    Word store_through(Buffer* own, std::size_t limit, ObjectHeader header, const void* object);
    /// The caller has the writer's lock.
    Word store_into(PageWriter& writer, Stream stream, std::size_t limit, ObjectHeader header, const void* object);
    void finish(PageWriter& writer);
    Word store_span(std::size_t bytes, std::size_t limit, ObjectHeader header, const void* object);
    /// Returns true if another attempt is worth while. If `within_limit`, evicts even if the limit leaves room.
    bool make_room(std::size_t segments, bool within_limit);
    void flush_buffers();
    /// Drops objects whose owners' memory has been given back. No lock may be held.
    void drop_owned_of_lost() noexcept;
    /// Memory is wanted back: drops pinned values that nobody holds and that were not pinned since the last time. No lock may be
    /// held.
    void age_pins() noexcept;
    /// Updates the counters for softlib-top that take time to count.
    void publish();

    // With maintenance_ held.
    std::size_t empty(Segment& segment, Keep keep);
    std::size_t move_page(Segment& segment, std::size_t page, Keep keep, std::size_t budget);
    /// Returns the bytes that were moved.
    std::size_t move_object(AtomicWord* entry, Word word, ObjectHeader header);
    std::size_t evict_oldest();
    /// Segments that have memory now, also those that the kernel did not take back.
    [[nodiscard]] std::size_t held_segments() const { return space_.in_use() + space_.unreturned(); }
    /// The bytes that the kernel took back since there were `held_before` held segments.
    [[nodiscard]] std::size_t returned_since(std::size_t held_before) const {
        return (held_before - std::min(held_before, held_segments())) * segment_bytes;
    }
    std::size_t lose_pages_of(const Segment& segment, double probability, Xorshift64& random);
    void sweep();
    /// The object that a handle names.
    struct Named {
        /// Whether there is such a handle, or was.
        bool is_known = false;
        /// nullptr: its pool has gone.
        AtomicWord* entry = nullptr;
        /// As PoolBase::fixed_size().
        std::size_t fixed_size = 0;
    };
    [[nodiscard]] Named named_by(std::uint32_t handle) const;

    void note_garbage(std::size_t bytes);
    /// With keeper_mutex_ held. Returns false if no thread can be started.
    bool start_keeper();
    /// After a fork(): starts a thread that asks the source, once.
    void replace_keeper();
    void run_keeper();
    /// Asks the source without the lock, since it is code of the program: it may fork, or want the heap. One thread at a time.
    void ask_source(std::unique_lock<std::mutex>& lock);
    /// Takes a source's answer. `held_bytes`: the memory that the heap had when it was asked.
    void take_budget(std::size_t bytes, std::size_t held_bytes);
    /// Waits until no other thread asks.
    void wait_for_answer(std::unique_lock<std::mutex>& lock);

    const std::uint64_t id_;
    Os& os_;
    const double evacuate_below_;
    const double probation_;
    SegmentSpace space_;
    std::atomic<std::size_t> limit_segments_;
    const OwnSlot slot_;
    Slot::OfHeap& counters_;

    std::mutex maintenance_;
    PageWriter moving_hot_;
    PageWriter moving_cold_;
    std::vector<std::byte> scratch_;

    std::mutex buffers_mutex_;
    std::vector<std::shared_ptr<Buffer>> buffers_;
    /// For threads whose own variables are gone already.
    SpinLock late_lock_;
    PageWriter late_;

    std::mutex pools_mutex_;
    std::vector<PoolBase*> pools_;
    std::atomic<bool> has_owners_{false};

    std::mutex chunks_mutex_;
    std::atomic<ChunkSlot>* chunks_ = nullptr;
    std::uint32_t nr_chunks_ = 0;
    /// Free slots of chunks with objects of one size, chained through the table. One element for each size that any pool had.
    struct FreeChunks {
        std::size_t object_size;
        std::uint32_t first;
    };
    std::vector<FreeChunks> free_chunks_;
    std::uint32_t nr_free_chunks_ = 0;
    /// With chunks_mutex_ held: adds it if need be, which may throw std::bad_alloc.
    FreeChunks& free_chunks_of(std::size_t object_size);

    ReuseWatch reuse_watch_;

    const bool background_;
    std::atomic<std::size_t> garbage_{0};
    // The heap's thread evacuates and keeps the limit.
    std::mutex keeper_mutex_;
    std::condition_variable keeper_wakes_;
    /// Shared with the thread that asks it.
    std::shared_ptr<budget_source> source_;
    std::chrono::milliseconds interval_{0};
    /// The thread that asks the source, if any.
    std::thread::id asking_;
    bool keeper_runs_ = false;
    std::atomic<bool> lacks_keeper_{false};
    bool evacuation_wanted_ = false;
    bool ending_ = false;
    std::atomic<std::size_t> largest_limit_;
};

}  // namespace soft::detail
