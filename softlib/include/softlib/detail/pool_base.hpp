// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The base of all pools, whatever their type of object: entries, and the bytes of their content.
//
// It must outlive its pointers and be destroyed before its heap. All functions are thread-safe, except construction and
// destruction. They throw only what they say.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "softlib/heap.hpp"
#include "softlib/pool_statistics.hpp"

namespace soft::detail {

class ReuseWatch;

/// Lets PoolBase::read_sized() put content where to(size) says, in one piece.
template <class Allocate>
class InOnePiece {
public:
    explicit InOnePiece(Allocate to) : to_(std::move(to)) {}
    void begin(std::size_t bytes) { at_ = static_cast<std::byte*>(static_cast<void*>(to_(bytes))); }
    void copy(const std::byte* from, std::size_t bytes) { copy_unsure(std::exchange(at_, at_ + bytes), from, bytes); }

private:
    Allocate to_;
    std::byte* at_ = nullptr;
};

class PoolBase {
public:
    PoolBase(const PoolBase&) = delete;
    PoolBase& operator=(const PoolBase&) = delete;

    /// The heap of the objects.
    [[nodiscard]] heap& get_heap() const { return heap_; }
    /// The name, for people.
    [[nodiscard]] const std::string& name() const { return name_; }
    /// Returns the statistics. Throws nothing, and is cheap.
    [[nodiscard]] pool_statistics statistics() const;

    /// Returns the entry of a new object without content. Throws std::bad_alloc if the table is full (2^32 objects a heap) or
    /// there is no ordinary memory for it.
    AtomicWord* new_entry();
    /// The same, with a copy of `bytes` bytes at `object` as content if there is room.
    AtomicWord* new_entry(const void* object, std::size_t bytes);
    /// Ends the object.
    void free_entry(AtomicWord* entry) noexcept;
    /// Makes the `bytes` bytes at `object` the content. Returns false if there is no room; then the object is lost.
    bool store(AtomicWord* entry, const void* object, std::size_t bytes) noexcept;
    /// The same if there is content, and it is still the copy that `expected` names. Otherwise returns false, also if the copy
    /// was moved.
    bool store_if(AtomicWord* entry, Word expected, const void* object, std::size_t bytes) noexcept;
    /// Whether there is content now. It may be gone a moment later.
    [[nodiscard]] bool holds(const AtomicWord* entry) const noexcept;
    /// Drops the content.
    void clear(AtomicWord* entry) noexcept;
    /// As if it were read twice.
    static void note_uses(AtomicWord* entry) noexcept {
        for (int i = 0; i < 2; ++i) {
            if (const Word word = entry->load(std::memory_order_relaxed); has_place(word)) {
                note_access(entry, word);
            }
        }
    }

    /// The content that `owner` has now takes over the caller's reference to `child`, and drops it when it goes itself. Throws
    /// std::bad_alloc; then the reference is dropped.
    void own(AtomicWord* owner, AtomicWord* child);
    /// The same for the object that this thread rebuilds. Throws std::logic_error if it rebuilds none.
    static void own_in_rebuild(AtomicWord* child);
    /// Drops a reference to a shared object. The last one ends the object.
    static void drop_reference(AtomicWord* entry) noexcept;
    /// Takes another reference if the object still has any and is of this generation. Otherwise returns false.
    static bool take_reference(AtomicWord* entry, std::uint32_t generation) noexcept;

    /// For a cache: its rebuilds are told to the heap's reuse watch from now on. Returns that, for its uses.
    ReuseWatch& feed_reuse_watch() noexcept;

    /// Bytes of the header before each object.
    [[nodiscard]] std::size_t header_bytes() const { return fixed_size_ > 0 ? handle_bytes : 2 * handle_bytes; }
    /// Bytes of each object; 0 if they differ.
    [[nodiscard]] std::size_t fixed_size() const { return fixed_size_; }

    /// Copies the content, of fixed_size() bytes, to `to`. Returns false if there is none.
    static bool read_fixed(AtomicWord* entry, void* to, std::size_t bytes) noexcept {
        for (;;) {
            const Word word = entry->load(std::memory_order_acquire);
            if (read_fixed(entry, word, to, bytes)) [[likely]] {
                return true;
            }
            if (bytes <= in_one_page || !has_other_copy(entry, word)) {
                return false;
            }
        }
    }
    /// The same for the copy that `word` names, which the caller has loaded from the entry.
    static bool read_fixed(AtomicWord* entry, Word word, void* to, std::size_t bytes) noexcept {
        if (!has_place(word)) [[unlikely]] {
            return false;
        }
        if (bytes <= in_one_page) {
            // Does not look at the entry again, which would slow down each read. To find another object, the thread would have to
            // stand still within these few instructions while others use the segment 16,384 times, or a multiple of that.
            const std::uint16_t found = copy_small(word, handle_bytes, to, bytes);
            return found == static_cast<std::uint16_t>(word) || note_first_access(entry, word, found);
        }
        if (!copy_pages(entry, word, handle_bytes, to, bytes)) {
            return false;
        }
        note_access(entry, word);
        return true;
    }
    /// The same for content of any size: calls to.begin(size), then to.copy(from, n) for its parts, which is as copy_unsure().
    /// Both may throw. Begins again if another thread wrote or moved the content meanwhile.
    template <class To>
    static bool read_sized(AtomicWord* entry, To& to) {
        for (;;) {
            const Word word = entry->load(std::memory_order_acquire);
            if (read_sized(entry, word, to)) {
                return true;
            }
            if (!has_other_copy(entry, word)) {
                return false;
            }
        }
    }
    /// The same for the copy that `word` names, which the caller has loaded from the entry. Also false if the entry names another
    /// one in the end.
    template <class To>
    static bool read_sized(AtomicWord* entry, Word word, To& to) {
        std::uint32_t size = 0;
        if (!has_place(word) || !is_same_use(word, copy_small(word, handle_bytes, &size, sizeof size))) {
            return false;
        }
        to.begin(static_cast<std::size_t>(size));
        if (size == 0) {
            note_access(entry, word);
            return true;
        }
        // A small object lies in one page with its header, which the look at its size has fetched. The page's canary would be
        // another access.
        bool is_copied = false;
        if (size <= in_one_page) {
            to.copy(header_of(word) + 2 * handle_bytes, size);
            is_copied = is_same_use(word, check_small(word));
        } else {
            is_copied =
                copy_large(word, 2 * handle_bytes, size, [&to](const std::byte* from, std::size_t part) { to.copy(from, part); });
        }
        if (!is_copied || !same_place(entry->load(std::memory_order_relaxed), word)) {
            return false;
        }
        note_access(entry, word);
        return true;
    }

    /// Marks the object as read lately. `word`: as the caller has loaded it from the entry.
    static void note_access(AtomicWord* entry, Word word) noexcept {
        // Only if the flag is missing: else readers of the same object would take its word from each other.
        if ((word & accessed_flag) == 0) {
            entry->fetch_or(accessed_flag, std::memory_order_relaxed);
        } else if ((word & again_flag) == 0) {
            // Only if the entry still names the same copy: in any other word this bit is a mark.
            entry->compare_exchange_strong(word, word | again_flag, std::memory_order_relaxed);
        }
    }

    /// Returns the pinned value of the copy that `word` names, which the caller has loaded from the entry. If it is not pinned,
    /// pins what read(entry, word, bytes) returns: a std::shared_ptr<const T> and its size as it is stored, or nullptr if the
    /// copy is gone. Throws std::bad_alloc, and what `read` throws.
    template <class T, class Read>
    static std::shared_ptr<const T> pin(AtomicWord* entry, Word word, Read&& read) {
        PoolBase& pool = *Chunk::of(entry)->pool;
        if (std::shared_ptr<const void> value = pool.find_pinned(entry, word)) {
            // Else the heap would take it for one that nobody reads.
            note_access(entry, word);
            return std::static_pointer_cast<const T>(std::move(value));
        }
        std::size_t bytes = 0;
        std::shared_ptr<const T> value = read(entry, word, bytes);
        if (value != nullptr) {
            pool.add_pin(entry, word, value, bytes);
        }
        return value;
    }
    /// The same for the content. Begins again if another thread wrote or moved it meanwhile.
    template <class T, class Read>
    static std::shared_ptr<const T> pin(AtomicWord* entry, Read&& read) {
        for (;;) {
            const Word word = entry->load(std::memory_order_acquire);
            std::shared_ptr<const T> value = pin<T>(entry, word, read);
            if (value != nullptr || !has_other_copy(entry, word)) {
                return value;
            }
        }
    }
    /// Bytes of pinned values that the pool keeps in ordinary memory, as they are stored.
    void set_pinned_limit(std::size_t bytes) noexcept;

    /// Samples a read for which wants_sample() was true: counts it, or loses its object for a test.
    void sample_read(AtomicWord* entry) noexcept;
    /// Whether a sampled read that found its object is to be validated; then the caller must call end_validation(). False while
    /// this thread validates another. What the reconstructor owns meanwhile is dropped at the end.
    [[nodiscard]] static bool begins_validation() noexcept;
    /// Ends a validation. `same`: the result; nothing if the reconstructor threw.
    void end_validation(std::optional<bool> same) noexcept;

    /// Copies `bytes` bytes of content of any size from byte `skip` on; the content must be so long. Returns false if there is
    /// none.
    static bool read_part(AtomicWord* entry, std::size_t skip, void* to, std::size_t bytes) noexcept {
        for (;;) {
            const Word word = entry->load(std::memory_order_acquire);
            if (has_place(word) && copy_pages(entry, word, 2 * handle_bytes + skip, to, bytes)) {
                note_access(entry, word);
                return true;
            }
            if (!has_other_copy(entry, word)) {
                return false;
            }
        }
    }

    /// The answer to a thread that wants to rebuild an object.
    enum class Turn : std::uint8_t {
        rebuild,    ///< It is the one to do so, and calls rebuilt() or not_rebuilt().
        try_again,  ///< Another one did meanwhile.
    };
    /// Waits while another thread rebuilds the object. Throws recursive_rebuild if this thread is rebuilding it already, or if
    /// the other one waits for a rebuild of this thread, directly or by way of others. Throws std::bad_alloc.
    Turn take_turn(AtomicWord* entry);
    /// Makes `object` the content unless somebody wrote or cleared it meanwhile. `took`: the time for rebuilding.
    void rebuilt(AtomicWord* entry, const void* object, std::size_t bytes, std::chrono::nanoseconds took) noexcept;
    /// Reports that the rebuild failed. Threads that wait try on their own.
    void not_rebuilt(AtomicWord* entry) noexcept;
    /// Ends a turn exactly once: by rebuilt(), otherwise at its own end by not_rebuilt(). The thread has just got Turn::rebuild.
    class TurnGuard {
    public:
        /// `owner`: the pool of the entry, which outlives this.
        TurnGuard(PoolBase& owner, AtomicWord* entry) noexcept : owner_(owner), entry_(entry) {}
        ~TurnGuard() {
            if (entry_ != nullptr) {
                owner_.not_rebuilt(entry_);
            }
        }
        TurnGuard(const TurnGuard&) = delete;
        TurnGuard& operator=(const TurnGuard&) = delete;
        /// As PoolBase::rebuilt().
        void rebuilt(const void* object, std::size_t bytes, std::chrono::nanoseconds took) noexcept {
            owner_.rebuilt(std::exchange(entry_, nullptr), object, bytes, took);
        }

    private:
        PoolBase& owner_;
        AtomicWord* entry_;
    };

protected:
    /// `fixed_size`: bytes of each object, at most max_object_bytes; 0 if they differ. Throws std::bad_alloc.
    PoolBase(soft::heap& heap, std::string_view name, std::size_t fixed_size);
    /// The pool's pointers must be destroyed before.
    ~PoolBase();

private:
    friend class HeapCore;

    AtomicWord* next_unused_entry();
    bool store_slowly(AtomicWord* entry, const void* object, std::size_t bytes) noexcept;
    /// After a copy with the result `found`: marks the object as read, or returns false if it is gone.
    static bool note_first_access(AtomicWord* entry, Word word, std::uint16_t found) noexcept;
    /// As copy_large(). Then looks at the entry again: an allocation, or a copy of many pages, may take so long that the
    /// segment's tags begin anew meanwhile. By then sweep() has changed the entry of an object that was lost.
    static bool copy_pages(const AtomicWord* entry, Word word, std::size_t skip, void* to, std::size_t bytes) noexcept {
        return copy_large(word, skip, to, bytes) && same_place(entry->load(std::memory_order_relaxed), word);
    }
    /// After a read by `word` that failed: whether the entry names another copy now.
    static bool has_other_copy(const AtomicWord* entry, Word word) noexcept {
        const Word now = entry->load(std::memory_order_relaxed);
        return has_place(now) && !same_place(now, word);
    }

    std::shared_ptr<const void> find_pinned(const AtomicWord* entry, Word word) noexcept;
    void add_pin(const AtomicWord* entry, Word word, const std::shared_ptr<const void>& value, std::size_t bytes);
    Word copy_in(const AtomicWord* entry, const void* object, std::size_t bytes) noexcept;
    void forget(Word word) noexcept;
    [[nodiscard]] bool still_whole(Word word) const noexcept;
    void give_advice() const noexcept;
    struct Rebuild;
    static std::vector<Rebuild>& rebuilds_of_thread() noexcept;
    static void wait_for_rebuild(AtomicWord* entry, Word word);
    bool end_turn(AtomicWord* entry, Word mark, Word word) noexcept;
    [[nodiscard]] bool adopt(const AtomicWord* owner, const std::vector<AtomicWord*>& children) noexcept;
    void disown(const AtomicWord* owner, std::vector<AtomicWord*> children) noexcept;
    /// Objects that it owned, and its pinned value.
    void drop_attached(const AtomicWord* owner) noexcept;
    void drop_owned_of_lost() noexcept;
    static void drop_references(std::vector<AtomicWord*> entries) noexcept;

    heap& heap_;
    std::string name_;
    std::size_t fixed_size_;
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace soft::detail
