// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "softlib/heap.hpp"

namespace soft {

/// A reconstructor that reads the object that it reconstructs.
class recursive_rebuild : public std::logic_error {
public:
    /// May throw std::bad_alloc.
    recursive_rebuild() : std::logic_error("softlib: a reconstructor needs the object that it is to reconstruct") {}
};

/// All but the first number are since the pool was made. Hits are not counted: that would cost more than the read.
struct pool_statistics {
    /// That there are now, with or without content.
    std::uint64_t objects = 0;
    /// Reads that found the object. An estimate from one read in some dozens, later some hundreds, unless a test loses or
    /// validates reads.
    std::uint64_t hits = 0;
    /// Reads that found the object gone.
    std::uint64_t misses = 0;
    /// Of these, reads that found it taken: by the kernel, release(), or an eviction. The others had never been built.
    std::uint64_t lost = 0;
    /// Calls of the reconstructor that made the object.
    std::uint64_t rebuilds = 0;
    /// Those that did not.
    std::uint64_t failed_rebuilds = 0;
    /// What it took to make those that were made, in all.
    std::chrono::nanoseconds rebuild_time{0};
    /// The longest of them.
    std::chrono::nanoseconds max_rebuild_time{0};
    /// Rebuilds of lost objects that nobody had read for some time before: such are taken first.
    std::uint64_t cold_rebuilds = 0;
    /// What these took.
    std::chrono::nanoseconds cold_rebuild_time{0};
    /// Rebuilds that were compared for validate_reads().
    std::uint64_t validated = 0;
    /// Those of them that made something else.
    std::uint64_t mismatches = 0;
};

/// What all pools have in common, whatever is in them. Programs use pool<T, Arguments...>.
///
/// Thread-safe, but for construction and destruction. Has to outlive its pointers and to be destroyed before its heap. Functions
/// with entries are for those who write containers; they throw only what they say.
class pool_base {
public:
    pool_base(const pool_base&) = delete;
    pool_base& operator=(const pool_base&) = delete;

    /// Where its objects are.
    [[nodiscard]] heap& get_heap() const { return heap_; }
    /// For people.
    [[nodiscard]] const std::string& name() const { return name_; }
    /// Throws nothing, and is cheap.
    [[nodiscard]] pool_statistics statistics() const;

    /// Entry of a new object without a copy. std::bad_alloc if the table is full (2^32 objects a heap) or there is no memory for
    /// it.
    detail::AtomicWord* new_entry();
    /// The same of one with this copy, if there is room for it.
    detail::AtomicWord* new_entry(const void* object, std::size_t bytes);
    /// The object is no more.
    void free_entry(detail::AtomicWord* entry) noexcept;
    /// Makes `object` the content. False if there is no room: then the object is lost.
    bool store(detail::AtomicWord* entry, const void* object, std::size_t bytes) noexcept;
    /// The same if the content is still the copy that `expected` tells, moved or not; false if it is not.
    bool store_if(detail::AtomicWord* entry, detail::Word expected, const void* object, std::size_t bytes) noexcept;
    /// Whether there is content now. It may be gone a moment later.
    [[nodiscard]] bool holds(const detail::AtomicWord* entry) const noexcept;
    /// Drops the content.
    void clear(detail::AtomicWord* entry) noexcept;

    /// What `owner` holds now owns `child` from now on, a reference to which is handed over: with the content goes the reference.
    /// std::bad_alloc: the reference is dropped.
    void own(detail::AtomicWord* owner, detail::AtomicWord* child);
    /// The same for what this thread is rebuilding; std::logic_error if it is not.
    static void own_in_rebuild(detail::AtomicWord* child);
    /// Of a shared object. The last one drops the object.
    static void drop_reference(detail::AtomicWord* entry) noexcept;
    /// One reference more, if the object still has any and is of this generation.
    static bool take_reference(detail::AtomicWord* entry, std::uint32_t generation) noexcept;

    /// Bytes before an object's own.
    [[nodiscard]] std::size_t header_bytes() const { return fixed_size_ > 0 ? detail::handle_bytes : 2 * detail::handle_bytes; }
    /// Bytes of each object; 0 if they differ.
    [[nodiscard]] std::size_t fixed_size() const { return fixed_size_; }

    /// Copies the content, whose size has to be fixed_size(). False: there is none.
    static bool read_fixed(detail::AtomicWord* entry, void* to, std::size_t bytes) noexcept {
        const detail::Word word = entry->load(std::memory_order_acquire);
        if (!detail::has_place(word)) [[unlikely]] {
            return false;
        }
        if (bytes <= detail::in_one_page) {
            const std::uint16_t found = detail::copy_small(word, detail::handle_bytes, to, bytes);
            return found == static_cast<std::uint16_t>(word) || note_first_access(entry, word, found);
        }
        if (!detail::copy_large(word, detail::handle_bytes, to, bytes)) {
            return false;
        }
        note_access(entry, word);
        return true;
    }
    /// The same for content of any size: `to` is given the size and returns where to put it, or throws.
    template <class Allocate>
    static bool read_sized(detail::AtomicWord* entry, Allocate&& to) {
        detail::Word word = entry->load(std::memory_order_acquire);
        std::uint32_t size = 0;
        if (!detail::has_place(word) ||
            !detail::is_same_use(word, detail::copy_small(word, detail::handle_bytes, &size, sizeof size))) {
            return false;
        }
        void* out = std::forward<Allocate>(to)(static_cast<std::size_t>(size));
        if (size > 0 && !detail::copy_large(word, 2 * detail::handle_bytes, out, size)) {
            return false;
        }
        note_access(entry, word);
        return true;
    }

    /// What goes with a read for which detail::wants_sample(): it is counted, or its object is lost for a test.
    void sample_read(detail::AtomicWord* entry) noexcept;
    /// Whether a read that found the object is to be validated. Not while another one of this thread is.
    [[nodiscard]] static bool begins_validation() noexcept;
    /// What came of it; nothing if the reconstructor threw.
    void end_validation(std::optional<bool> same) noexcept;

    /// Copies `bytes` of content of any size, from its byte `skip` on; there have to be so many. False: there is none.
    static bool read_part(detail::AtomicWord* entry, std::size_t skip, void* to, std::size_t bytes) noexcept {
        const detail::Word word = entry->load(std::memory_order_acquire);
        if (!detail::has_place(word) || !detail::copy_large(word, 2 * detail::handle_bytes + skip, to, bytes)) {
            return false;
        }
        note_access(entry, word);
        return true;
    }

    /// Of a thread that wants to rebuild what it missed.
    enum class turn : std::uint8_t {
        rebuild,    ///< It is the one to do so, and calls rebuilt() or not_rebuilt().
        try_again,  ///< Another one did meanwhile.
    };
    /// Waits while another thread rebuilds the object. Throws recursive_rebuild if it is this one, and std::bad_alloc.
    turn take_turn(detail::AtomicWord* entry);
    /// Makes `object` the content unless somebody wrote it or cleared it meanwhile.
    void rebuilt(detail::AtomicWord* entry, const void* object, std::size_t bytes, std::chrono::nanoseconds took) noexcept;
    /// Nothing could be made; whoever waits tries for himself.
    void not_rebuilt(detail::AtomicWord* entry) noexcept;

protected:
    /// fixed_size: of each object in bytes, at most max_object_bytes; 0 if they differ. Throws std::bad_alloc.
    pool_base(soft::heap& heap, std::string_view name, std::size_t fixed_size);
    /// Its pointers have to be gone.
    ~pool_base();

private:
    friend class detail::HeapCore;

    detail::AtomicWord* next_unused_entry();
    bool store_slowly(detail::AtomicWord* entry, const void* object, std::size_t bytes) noexcept;
    /// After a copy that found this: it is gone, or nobody has read it for some time. False: it is gone.
    static bool note_first_access(detail::AtomicWord* entry, detail::Word word, std::uint16_t found) noexcept;
    static void note_access(detail::AtomicWord* entry, detail::Word word) noexcept {
        // Seldom: or readers of the same object would take its word from each other.
        if ((word & detail::accessed_flag) == 0) {
            entry->fetch_or(detail::accessed_flag, std::memory_order_relaxed);
        }
    }

    detail::Word copy_in(const detail::AtomicWord* entry, const void* object, std::size_t bytes) noexcept;
    void forget(detail::Word word) noexcept;
    [[nodiscard]] bool still_whole(detail::Word word) const noexcept;
    void give_advice() const noexcept;
    struct Rebuild;
    static std::vector<Rebuild>& rebuilds_of_thread() noexcept;
    bool end_turn(detail::AtomicWord* entry, detail::Word word) noexcept;
    [[nodiscard]] bool adopt(const detail::AtomicWord* owner, const std::vector<detail::AtomicWord*>& children) noexcept;
    void disown(const detail::AtomicWord* owner, std::vector<detail::AtomicWord*> children) noexcept;
    void drop_owned(const detail::AtomicWord* owner) noexcept;
    void drop_owned_of_lost() noexcept;
    static void drop_references(std::vector<detail::AtomicWord*> entries) noexcept;

    heap& heap_;
    std::string name_;
    std::size_t fixed_size_;
    struct State;
    std::unique_ptr<State> state_;
};

/// Of one object, with 8 bytes for its header.
inline constexpr std::size_t max_object_bytes = (std::size_t{1} << 32) - 4096;

}  // namespace soft
