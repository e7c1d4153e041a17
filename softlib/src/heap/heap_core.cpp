// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/heap/heap_core.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "src/base/proc_text.hpp"
#include "src/counters/smaps.hpp"
#include "src/heap/heap_registry.hpp"
#include "src/heap/pool_state.hpp"

namespace soft::detail {
namespace {

std::size_t machine_bytes() {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(bytes) : std::size_t{1} << 30;
}

std::size_t segments_to_reserve(const heap_options& options) {
    const std::size_t bytes =
        std::max(options.reserve_bytes > 0 ? options.reserve_bytes : machine_bytes(), HeapCore::limit_of(options.limit_bytes));
    // Adds spare segments, but stays within the address space.
    return std::min(bytes, std::size_t{1} << 46) / segment_bytes + 2;
}

double checked_share(double share) {
    // Also refuses NaN.
    if (!(share > 0 && share < 1)) {
        throw std::invalid_argument("softlib: heap_options::evacuate_below is " + std::to_string(share) +
                                    "; it must be a share, above 0 and below 1");
    }
    return share;
}

double checked_probation(double share) {
    if (!(share >= 0 && share < 1)) {
        throw std::invalid_argument("softlib: heap_options::probation is " + std::to_string(share) +
                                    "; it must be 0, or a share below 1");
    }
    return share;
}

std::uint64_t next_id() {
    static std::atomic<std::uint64_t> id{0};
    return ++id;
}

}  // namespace

HeapCore::HeapCore(const heap_options& options)
    : id_(next_id()),
      os_(options.os != nullptr ? *options.os : linux_os()),
      evacuate_below_(checked_share(options.evacuate_below)),
      probation_(checked_probation(options.probation)),
      space_(os_, segments_to_reserve(options)),
      limit_segments_(limit_of(options.limit_bytes) / segment_bytes),
      slot_(take_slot(Slot::Kind::heap, static_cast<std::uint32_t>(id_), "")),
      counters_(slot_->of_heap),
      background_(options.background),
      largest_limit_(options.limit_bytes) {
    auto* table = os_.table(max_chunks * sizeof(std::atomic<ChunkSlot>), page_bytes);
    if (table == nullptr) {
        throw std::bad_alloc();
    }
    chunks_ = reinterpret_cast<std::atomic<ChunkSlot>*>(table);
    counters_.base_address.store(reinterpret_cast<std::uintptr_t>(space_.base()), std::memory_order_relaxed);
    counters_.reserved_bytes.store(space_.reserved() * segment_bytes, std::memory_order_relaxed);
    counters_.limit_bytes.store(limit_segments_.load(std::memory_order_relaxed) * segment_bytes, std::memory_order_relaxed);
    try {
        register_heap(*this);
    } catch (...) {
        os_.free_table(table, max_chunks * sizeof(std::atomic<ChunkSlot>));
        throw;
    }
}

std::size_t HeapCore::limit_of(std::size_t bytes) {
    return bytes == default_limit ? machine_bytes() / 4 : bytes;
}

HeapCore::~HeapCore() {
    unregister_heap(*this);
    {
        std::unique_lock lock(keeper_mutex_);
        ending_ = true;
        keeper_wakes_.notify_all();
        keeper_wakes_.wait(lock, [this] { return !keeper_runs_; });
    }
    // Threads that live on keep buffers with pages of it, and never use them again.
    os_.free_table(reinterpret_cast<std::byte*>(chunks_), max_chunks * sizeof(std::atomic<ChunkSlot>));
}

// Pools and their chunks.

void HeapCore::add_pool(PoolBase* pool) {
    const std::lock_guard guard(pools_mutex_);
    pools_.push_back(pool);
}

void HeapCore::remove_pool(PoolBase* pool) noexcept {
    const std::lock_guard guard(pools_mutex_);
    std::erase(pools_, pool);
}

HeapCore::FreeChunks& HeapCore::free_chunks_of(std::size_t object_size) {
    const auto at = std::find_if(free_chunks_.begin(), free_chunks_.end(),
                                 [&](const FreeChunks& one) { return one.object_size == object_size; });
    return at != free_chunks_.end() ? *at : free_chunks_.emplace_back(FreeChunks{object_size, ChunkSlot::no_slot});
}

Chunk* HeapCore::new_chunk(PoolBase* pool) {
    const std::lock_guard guard(chunks_mutex_);
    // Also for free_chunk(), which must not need memory.
    FreeChunks* free = &free_chunks_of(pool->fixed_size());
    if (free->first == ChunkSlot::no_slot && nr_chunks_ == max_chunks) {
        // Better some slot of another size than none: some objects of the same pages may be lost when their segment is emptied.
        for (FreeChunks& one : free_chunks_) {
            free = one.first != ChunkSlot::no_slot ? &one : free;
        }
        if (free->first == ChunkSlot::no_slot) {
            throw std::bad_alloc();
        }
    }
    std::byte* memory = os_.table(Chunk::bytes, Chunk::alignment);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    std::uint32_t index = free->first;
    if (index != ChunkSlot::no_slot) {
        free->first = chunks_[index].load(std::memory_order_relaxed).next_free();
        --nr_free_chunks_;
    } else {
        index = nr_chunks_++;
    }
    auto* chunk = new (Chunk::place_in(memory)) Chunk{pool, index};
    chunks_[index].store(ChunkSlot(chunk), std::memory_order_release);
    return chunk;
}

void HeapCore::free_chunk(Chunk* chunk) noexcept {
    // Maintenance may be reading its words.
    const std::lock_guard maintenance(maintenance_);
    const std::lock_guard guard(chunks_mutex_);
    FreeChunks& free = free_chunks_of(chunk->pool->fixed_size());
    chunks_[chunk->index].store(ChunkSlot(free.object_size, free.first), std::memory_order_release);
    free.first = chunk->index;
    ++nr_free_chunks_;
    os_.free_table(chunk->memory(), Chunk::bytes);
}

HeapCore::Named HeapCore::named_by(std::uint32_t handle) const {
    const ChunkSlot slot = chunks_[handle >> Chunk::slot_bits].load(std::memory_order_acquire);
    const std::size_t number = handle & (Chunk::slots - 1);
    Chunk* chunk = slot.chunk();
    if (chunk == nullptr) {
        return {slot.is_free(), nullptr, slot.object_size()};
    }
    // A chunk that had the slot before may have had a word where this one has its header.
    return {true, chunk->takes(number) ? nullptr : chunk->word(number), chunk->pool->fixed_size()};
}

void HeapCore::publish() {
    counters_.limit_bytes.store(limit_segments_.load(std::memory_order_relaxed) * segment_bytes, std::memory_order_relaxed);
    counters_.segment_bytes.store(space_.in_use() * segment_bytes, std::memory_order_relaxed);
    const SegmentSpace::Census census = space_.census();
    counters_.live_bytes.store(census.live_bytes, std::memory_order_relaxed);
    counters_.offered_bytes.store(census.offered * segment_bytes, std::memory_order_relaxed);
}

void HeapCore::drop_owned_of_lost() noexcept {
    if (!has_owners_.load(std::memory_order_relaxed)) {
        return;
    }
    // Held to the end: a pool whose objects are dropped here must not go meanwhile.
    const std::lock_guard guard(pools_mutex_);
    for (PoolBase* pool : pools_) {
        pool->drop_owned_of_lost();
    }
}

void HeapCore::age_pins() noexcept {
    const std::lock_guard guard(pools_mutex_);
    for (PoolBase* pool : pools_) {
        pool->state_->pins.age();
    }
}

std::size_t HeapCore::lazy_free_bytes() {
    const auto from = reinterpret_cast<std::uintptr_t>(space_.base());
    return parse_smaps(read_proc("/proc/self/smaps"), from, from + space_.reserved() * segment_bytes).lazy_free_bytes;
}

heap_statistics HeapCore::statistics() {
    const SegmentSpace::Census census = space_.census();
    heap_statistics result;
    result.limit_bytes = limit_segments_.load(std::memory_order_relaxed) * segment_bytes;
    result.reserved_bytes = census.reserved * segment_bytes;
    result.segment_bytes = space_.in_use() * segment_bytes;
    result.open_bytes = census.open * segment_bytes;
    result.offered_bytes = census.offered * segment_bytes;
    result.live_bytes = census.live_bytes;
    result.resident_bytes = space_.resident_bytes();
    {
        const std::lock_guard guard(chunks_mutex_);
        result.metadata_bytes = (nr_chunks_ - nr_free_chunks_) * Chunk::words_bytes + space_.in_use() * sizeof(Segment);
    }
    result.evacuated_segments = counters_.evacuated_segments.load(std::memory_order_relaxed);
    result.moved_objects = counters_.moved_objects.load(std::memory_order_relaxed);
    result.evicted_objects = counters_.evicted_objects.load(std::memory_order_relaxed);
    result.offers_to_kernel = space_.offers_to_kernel();
    result.unreturned_bytes = space_.unreturned() * segment_bytes;
    return result;
}

// The heap's thread.

void HeapCore::note_garbage(std::size_t bytes) {
    if (!background_ || garbage_.fetch_add(bytes, std::memory_order_relaxed) + bytes < segment_bytes) {
        return;
    }
    garbage_.store(0, std::memory_order_relaxed);
    const std::lock_guard guard(keeper_mutex_);
    evacuation_wanted_ = true;
    // Without a thread, garbage stays until a limit or evacuate() removes it.
    start_keeper();
}

void HeapCore::replace_keeper() {
    if (lacks_keeper_.load(std::memory_order_relaxed) && lacks_keeper_.exchange(false, std::memory_order_relaxed)) {
        const std::lock_guard guard(keeper_mutex_);
        start_keeper();
    }
}

bool HeapCore::start_keeper() {
    if (keeper_runs_ || ending_) {
        keeper_wakes_.notify_all();
        return true;
    }
    // Block all signals: this thread would run the program's handlers, and take signals that the program has blocked.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        std::thread([this] { run_keeper(); }).detach();
        keeper_runs_ = true;
    } catch (const std::exception&) {
        // std::system_error: no more threads; std::bad_alloc.
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return keeper_runs_;
}

void HeapCore::bound(std::size_t bytes) {
    std::unique_lock lock(keeper_mutex_);
    wait_for_answer(lock);
    largest_limit_.store(bytes, std::memory_order_relaxed);
    const bool follows = source_ != nullptr;
    lock.unlock();
    set_limit(follows ? std::min(bytes, limit_segments_.load(std::memory_order_relaxed) * segment_bytes) : limit_of(bytes));
}

void HeapCore::follow(std::unique_ptr<budget_source> source) {
    // Destroyed after the lock is released: it is code of the program.
    std::shared_ptr<budget_source> before(std::move(source));
    std::unique_lock lock(keeper_mutex_);
    // The caller may destroy what the former source uses.
    wait_for_answer(lock);
    std::swap(source_, before);
    if (source_ == nullptr) {
        return;
    }
    ask_source(lock);
    // Afterwards, when the interval is known.
    if (background_) {
        start_keeper();
    }
}

void HeapCore::wait_for_answer(std::unique_lock<std::mutex>& lock) {
    keeper_wakes_.wait(lock, [this] { return asking_ == std::thread::id() || asking_ == std::this_thread::get_id(); });
}

void HeapCore::ask_source(std::unique_lock<std::mutex>& lock) {
    wait_for_answer(lock);
    std::shared_ptr<budget_source> source = source_;
    if (source == nullptr) {
        return;
    }
    const std::thread::id outer = std::exchange(asking_, std::this_thread::get_id());
    lock.unlock();
    const std::size_t held = space_.in_use() * segment_bytes;
    const std::size_t budget = source->budget_bytes(held);
    const std::chrono::milliseconds interval = source->interval();
    lock.lock();
    // It may have put another one in its place.
    const bool counts = source == source_;
    if (counts) {
        interval_ = interval;
    }
    lock.unlock();
    if (counts) {
        // May take long, and threads with garbage want the lock.
        take_budget(std::min(budget, largest_limit()), held);
    }
    source.reset();
    lock.lock();
    asking_ = outer;
    keeper_wakes_.notify_all();
}

void HeapCore::run_keeper() {
    std::unique_lock lock(keeper_mutex_);
    while (!ending_) {
        if (evacuation_wanted_) {
            evacuation_wanted_ = false;
            lock.unlock();
            evacuate();
            lock.lock();
        } else if (source_ == nullptr) {
            keeper_wakes_.wait(lock);
        } else if (keeper_wakes_.wait_for(lock, interval_) == std::cv_status::timeout) {
            ask_source(lock);
        }
    }
    keeper_runs_ = false;
    keeper_wakes_.notify_all();
}

// fork().

void HeapCore::before_fork(ForkStage stage) {
    if (stage == ForkStage::pools) {
        pools_mutex_.lock();
        return;
    }
    if (stage == ForkStage::each_pool) {
        for (PoolBase* pool : pools_) {
            pool->state_->lock.lock();
            pool->state_->pins.lock();
        }
        return;
    }
    keeper_mutex_.lock();
    maintenance_.lock();
    buffers_mutex_.lock();
    // Leaves the buffers' locks alone: the child forgets the buffers in whatever state they are.
    late_lock_.lock();
    chunks_mutex_.lock();
    reuse_watch_.lock();
    space_.lock();
}

void HeapCore::after_fork_in_parent() {
    space_.unlock();
    reuse_watch_.unlock();
    chunks_mutex_.unlock();
    late_lock_.unlock();
    buffers_mutex_.unlock();
    maintenance_.unlock();
    keeper_mutex_.unlock();
    for (PoolBase* pool : pools_) {
        pool->state_->pins.unlock();
        pool->state_->lock.unlock();
    }
    pools_mutex_.unlock();
}

void HeapCore::after_fork_in_child() {
    space_.forget_all();
    for (const std::shared_ptr<Buffer>& one : buffers_) {
        one->writer.forget();
        one->dropped = Dropped();
        one->lock.reset();
    }
    for (PageWriter* one : {&late_, &moving_hot_, &moving_cold_}) {
        one->forget();
    }
    // Threads that were rebuilding do not exist in this process, except the one that forked: it may store its result.
    for (std::uint32_t i = 0; i < nr_chunks_; ++i) {
        Chunk* chunk = chunks_[i].load(std::memory_order_relaxed).chunk();
        for (std::size_t slot = 0; chunk != nullptr && slot < Chunk::slots; ++slot) {
            if (chunk->takes(slot)) {
                continue;
            }
            const Word word = chunk->word(slot)->load(std::memory_order_relaxed);
            if ((word & free_flag) == 0 && word != 0) {
                chunk->word(slot)->store(0, std::memory_order_relaxed);
            }
        }
    }
    // The heap's thread does not exist here. The first stored object, garbage or follow() starts another: threads cannot be
    // started now.
    keeper_runs_ = false;
    lacks_keeper_.store(background_ && source_ != nullptr, std::memory_order_relaxed);
    evacuation_wanted_ = false;
    // It may have been waiting, and to destroy a condition with somebody who waits takes for ever.
    ::new (static_cast<void*>(&keeper_wakes_)) std::condition_variable;
    if (asking_ != std::this_thread::get_id()) {
        asking_ = std::thread::id();
    }
    after_fork_in_parent();
    if (source_ != nullptr) {
        source_->forked();
    }
}

}  // namespace soft::detail
