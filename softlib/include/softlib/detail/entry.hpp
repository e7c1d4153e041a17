// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The table of handles has one word an object. The words lie in chunks that know their pool, so a soft pointer is no larger than
// a raw one. The counts of shared objects, and of the uses of a slot for them, lie beside the words. Programs without shared
// objects never touch that memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "softlib/detail/place.hpp"

namespace soft::detail {

class PoolBase;

/// A chunk of the table. The words lie in one half of its addresses, and this header replaces one cache line of them. The address
/// decides which half and which line: if all chunks used the same ones, they would contend for a few lines of the processor's
/// caches.
struct Chunk {
    static constexpr std::size_t slot_bits = 13;
    static constexpr std::size_t slots = std::size_t{1} << slot_bits;
    static constexpr std::size_t words_bytes = slots * sizeof(AtomicWord);
    using Counts = std::atomic<std::uint32_t>[slots];
    /// The words, and in the other half the counts of pointers and the generations.
    static constexpr std::size_t bytes = words_bytes + 2 * sizeof(Counts);
    static constexpr std::size_t alignment = bytes;

    PoolBase* pool;
    std::uint32_t index;

    /// The header's address in memory of the chunk's size.
    static std::byte* place_in(std::byte* memory) {
        const std::uintptr_t number = reinterpret_cast<std::uintptr_t>(memory) / alignment;
        return line_in(memory + (number % 2) * words_bytes);
    }
    std::byte* memory() { return from_words(address() & ~std::uintptr_t{alignment - 1}); }

    AtomicWord* word(std::size_t slot) { return reinterpret_cast<AtomicWord*>(from_words(words())) + slot; }
    /// `which`: 0 for pointers, 1 for generations.
    Counts& counts(std::size_t which) {
        return reinterpret_cast<Counts*>(from_words(words() ^ std::uintptr_t{words_bytes}))[which];
    }
    /// Whether the header lies in this slot. Slot 0 does not exist either: handle 0 would look like a dropped page.
    [[nodiscard]] bool takes(std::size_t slot) const {
        return slot == 0 || slot / slots_per_line == (address() - words()) / (slots_per_line * sizeof(AtomicWord));
    }

    static Chunk* of(const AtomicWord* word) {
        return reinterpret_cast<Chunk*>(
            line_in(from_words(reinterpret_cast<std::uintptr_t>(word) & ~std::uintptr_t{words_bytes - 1})));
    }
    static std::size_t slot_of(const AtomicWord* word) {
        return reinterpret_cast<std::uintptr_t>(word) / sizeof(AtomicWord) % slots;
    }

private:
    static constexpr std::size_t slots_per_line = 8;
    static constexpr std::size_t lines = 64;

    [[nodiscard]] std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(this); }
    [[nodiscard]] std::uintptr_t words() const { return address() & ~std::uintptr_t{words_bytes - 1}; }
    static std::byte* from_words(std::uintptr_t address) { return reinterpret_cast<std::byte*>(address); }
    static std::byte* line_in(std::byte* words) {
        const std::uintptr_t number = reinterpret_cast<std::uintptr_t>(words) / alignment;
        return words + number % lines * slots_per_line * sizeof(AtomicWord);
    }
};
static_assert(Chunk::bytes == 2 * Chunk::words_bytes);

/// Number of an entry in its heap, as written before the object. Never 0.
inline std::uint32_t handle_of(const AtomicWord* word) {
    return (Chunk::of(word)->index << Chunk::slot_bits) | static_cast<std::uint32_t>(Chunk::slot_of(word));
}

/// Number of shared pointers to the object.
inline std::atomic<std::uint32_t>& count_of(const AtomicWord* word) {
    return Chunk::of(word)->counts(0)[Chunk::slot_of(word)];
}
/// Number of shared objects that used the slot before this one. It tells whether a weak pointer still means this object.
inline std::atomic<std::uint32_t>& generation_of(const AtomicWord* word) {
    return Chunk::of(word)->counts(1)[Chunk::slot_of(word)];
}

}  // namespace soft::detail
