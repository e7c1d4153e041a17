// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The table of handles: one word an object, in chunks that know their pool, so that a soft pointer is no larger than a raw one.
// Counts of shared objects, and of the uses of a slot for them, are beside the words, in memory that nobody touches who has none.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "softlib/detail/place.hpp"

namespace soft {
class PoolBase;
}

namespace soft::detail {

/// A chunk of the table. Its first slots are taken by these members.
struct Chunk {
    static constexpr std::size_t slot_bits = 13;
    static constexpr std::size_t slots = std::size_t{1} << slot_bits;
    static constexpr std::size_t words_bytes = slots * sizeof(AtomicWord);
    static constexpr std::size_t first_slot = 8;
    using Counts = std::atomic<std::uint32_t>[slots];
    /// Words, then the counts of pointers, then the generations.
    static constexpr std::size_t bytes = words_bytes + 2 * sizeof(Counts);
    static constexpr std::size_t alignment = std::size_t{1} << 17;

    PoolBase* pool;
    std::uint32_t index;

    AtomicWord* word(std::size_t slot) { return reinterpret_cast<AtomicWord*>(this) + slot; }
    /// 0: of pointers; 1: of generations.
    Counts& counts(std::size_t which) {
        return reinterpret_cast<Counts*>(reinterpret_cast<std::byte*>(this) + words_bytes)[which];
    }

    static Chunk* of(const AtomicWord* word) {
        return reinterpret_cast<Chunk*>(reinterpret_cast<std::uintptr_t>(word) & ~std::uintptr_t{alignment - 1});
    }
    static std::size_t slot_of(const AtomicWord* word) {
        return (reinterpret_cast<std::uintptr_t>(word) & (alignment - 1)) / sizeof(AtomicWord);
    }
};
static_assert(sizeof(Chunk) <= Chunk::first_slot * sizeof(AtomicWord));
static_assert(Chunk::bytes <= Chunk::alignment);

/// Number of an entry in its heap, as it is written before the object. Never 0.
inline std::uint32_t handle_of(const AtomicWord* word) {
    return (Chunk::of(word)->index << Chunk::slot_bits) | static_cast<std::uint32_t>(Chunk::slot_of(word));
}

/// How many shared pointers there are to the object.
inline std::atomic<std::uint32_t>& count_of(const AtomicWord* word) {
    return Chunk::of(word)->counts(0)[Chunk::slot_of(word)];
}
/// How many shared objects the slot was used for before this one: tells whether a weak pointer still means what is there.
inline std::atomic<std::uint32_t>& generation_of(const AtomicWord* word) {
    return Chunk::of(word)->counts(1)[Chunk::slot_of(word)];
}

}  // namespace soft::detail
