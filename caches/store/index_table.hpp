// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// IndexTable: the places of a shard's items, 16 bytes each. Open addressing in the order of the hashes: a search ends at the
// first greater one, so the table may be nearly full, and to grow it is one pass from front to back. Amble and Knuth, "Ordered
// hash tables" (1974).
//
// Not thread-safe. insert() throws std::bad_alloc and changes nothing then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tmm::caches {

/// Number of bits of a hash that a shard's table knows.
inline constexpr unsigned index_hash_bits = 28;

struct Slot {
    static constexpr unsigned expires_bits = 31;
    static constexpr unsigned last_access_bits = 17;

    /// The address of the soft object's entry, a multiple of 8 below 2^48; 0: no item.
    std::uint64_t entry_eighths : 45;
    /// The lowest bits of the second in which somebody got it last.
    std::uint64_t last_access : last_access_bits;
    /// The caller's.
    std::uint64_t marks : 2;
    std::uint64_t hash : index_hash_bits;
    /// In seconds of the store's clock; 0: never.
    std::uint64_t expires : expires_bits;
    /// Somebody got it since it was put.
    std::uint64_t is_fetched : 1;
    /// Reads are long: they go without the shard's lock.
    std::uint64_t is_large : 1;
};
static_assert(sizeof(Slot) == 16);

class IndexTable {
public:
    /// Returns the slot with this hash, or nullptr. Valid until the next change.
    Slot* find(std::uint32_t hash) {
        if (size_ == 0) {
            return nullptr;
        }
        Slot* slot = at_or_behind(hash);
        return slot->entry_eighths != 0 && slot->hash == hash ? slot : nullptr;
    }
    /// Adds a slot whose hash is not there yet. `slot` has an entry.
    Slot* insert(const Slot& slot);
    /// Later slots move to the front.
    void erase(Slot* slot);
    /// Removes the slots among the next `count` from `from` on for which is_dead(Slot&) is true; `ahead(const Slot&)` is told of
    /// slots some way before. Returns where to go on; 0 at the end, where a sparse table becomes smaller.
    template <class IsDead, class Ahead>
    std::size_t sweep(std::size_t from, std::size_t count, IsDead&& is_dead, Ahead&& ahead) {
        const std::size_t last = end() - from > count ? from + count : end();
        for (std::size_t at = from; at < last; ++at) {
            if (at + sweeps_ahead < end() && slots_[at + sweeps_ahead].entry_eighths != 0) {
                ahead(slots_[at + sweeps_ahead]);
            }
            // The next one takes the place of a removed one.
            while (slots_[at].entry_eighths != 0 && is_dead(slots_[at])) {
                erase(&slots_[at]);
            }
        }
        if (last < end()) {
            return last;
        }
        give_back();
        return 0;
    }
    /// Calls use(Slot&) for each.
    template <class Use>
    void each(Use&& use) {
        for (std::size_t at = 0; at < end(); ++at) {
            if (slots_[at].entry_eighths != 0) {
                use(slots_[at]);
            }
        }
    }
    void clear();
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Places to sweep.
    [[nodiscard]] std::size_t places() const { return end(); }
    /// Ordinary memory, in bytes.
    [[nodiscard]] std::size_t bytes() const { return end() * sizeof(Slot); }

private:
    static constexpr std::size_t smallest = 32;
    static constexpr std::size_t sweeps_ahead = 16;

    [[nodiscard]] std::size_t home(std::uint64_t hash) const { return (hash * capacity_) >> index_hash_bits; }
    /// Slots behind the capacity are for items that found their places taken; the last one is always empty.
    static std::size_t slots_of(std::size_t capacity) { return capacity + capacity / 64 + smallest; }
    [[nodiscard]] std::size_t end() const { return capacity_ > 0 ? slots_of(capacity_) : 0; }
    Slot* at_or_behind(std::uint32_t hash) {
        Slot* slot = &slots_[home(hash)];
        while (slot->entry_eighths != 0 && slot->hash < hash) {
            ++slot;
        }
        return slot;
    }
    /// Moves all to a table of at least this capacity.
    void rebuild(std::size_t capacity);
    void give_back() noexcept;

    std::unique_ptr<Slot[]> slots_;
    std::size_t capacity_ = 0;
    std::size_t size_ = 0;
};

}  // namespace tmm::caches
