// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A hash table with each key beside the thing that it owns, in one array: open addressing, linear probing, removal by shifting
// back. A look-up waits for memory once; through the nodes of std::unordered_map it would wait three times. The soft object
// itself adds two.
//
// Not thread-safe, except const functions at the same time. Insertion and removal move other keys. If a key's hash, copy or move
// throws while keys move, the table forgets all keys: each value can be rebuilt.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "softlib/detail/language.hpp"

namespace soft::detail {

/// Owner: belongs to a key. It must be false when empty, true otherwise, and move without exceptions.
template <class Key, class Owner, class Hash, class Equal>
class FlatTable {
public:
    /// A key and its owner; no key if the owner is empty.
    struct Slot {
        Slot() noexcept {}
        ~Slot() {
            if (owner) {
                key.~Key();
            }
        }
        Slot(const Slot&) = delete;
        Slot& operator=(const Slot&) = delete;

        Owner owner;
        union {
            Key key;
        };
    };

    FlatTable(const Hash& hash, const Equal& equal) : hash_(hash), equal_(equal) {}
    FlatTable(FlatTable&& other) noexcept
        : hash_(other.hash_),
          equal_(other.equal_),
          slots_(std::move(other.slots_)),
          capacity_(std::exchange(other.capacity_, 0)),
          shift_(other.shift_),
          size_(std::exchange(other.size_, 0)) {}
    FlatTable& operator=(FlatTable&&) = delete;
    ~FlatTable() = default;
    void swap(FlatTable& other) noexcept {
        std::swap(hash_, other.hash_);
        std::swap(equal_, other.equal_);
        std::swap(slots_, other.slots_);
        std::swap(capacity_, other.capacity_);
        std::swap(shift_, other.shift_);
        std::swap(size_, other.size_);
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    void clear() noexcept {
        slots_.reset();
        capacity_ = 0;
        size_ = 0;
    }
    /// Makes room for `keys` keys. Throws std::bad_alloc.
    void reserve(std::size_t keys) {
        if (keys > SIZE_MAX / 4 / sizeof(Slot)) {
            throw std::bad_array_new_length();
        }
        const std::size_t slots = std::bit_ceil(keys / 3 * 4 + 4);
        if (slots > capacity_) {
            resize(slots);
        }
    }

    /// Returns nullptr if the table lacks the key.
    template <class K>
    Slot* find(const K& key) const {
        return find_hashed(hash_(key), key);
    }
    /// The same for a caller that knows the key's hash already.
    template <class K>
    Slot* find_hashed(std::size_t hash, const K& key) const {
        if (capacity_ == 0) {
            return nullptr;
        }
        for (std::size_t at = home_of(hash);; at = next(at)) {
            Slot& slot = slots_[at];
            if (!slot.owner) {
                return nullptr;
            }
            if (equal_(slot.key, key)) {
                return &slot;
            }
        }
    }
    /// Inserts a key that is not in the table; the owner must not be empty. Throws std::bad_alloc, and what copying the key
    /// throws; then nothing is inserted.
    template <class K>
    Slot* insert(const K& key, Owner owner) {
        if ((size_ + 1) * 4 > capacity_ * 3) {
            resize(capacity_ == 0 ? 8 : capacity_ * 2);
        }
        Slot& slot = slots_[free_place(key)];
        ::new (static_cast<void*>(std::addressof(slot.key))) Key(key);
        slot.owner = std::move(owner);
        ++size_;
        return &slot;
    }
    void erase(const Slot* slot) { remove(static_cast<std::size_t>(slot - slots_.get())); }
    /// Erases all slots for which which(slot) is true. Returns their number.
    template <class Which>
    std::size_t erase_if(Which&& which) {
        const std::size_t before = size_;
        for (std::size_t at = 0; at < capacity_;) {
            if (slots_[at].owner && which(std::as_const(slots_[at]))) {
                // Another key may move here.
                remove(at);
            } else {
                ++at;
            }
        }
        return before - size_;
    }
    /// The first slot with a key at the index or behind it, round the end; nullptr if there is none. Advances the index behind
    /// it.
    Slot* next_slot(std::size_t& index) const {
        for (std::size_t steps = 0; steps < capacity_; ++steps) {
            Slot& slot = slots_[index++ & (capacity_ - 1)];
            if (slot.owner) {
                return &slot;
            }
        }
        return nullptr;
    }
    /// Calls use(slot) for each key.
    template <class Use>
    void for_each(Use&& use) const {
        for (std::size_t at = 0; at < capacity_; ++at) {
            if (slots_[at].owner) {
                use(slots_[at]);
            }
        }
    }

private:
    // Hashes of the standard library may be the numbers themselves. So multiply by the golden ratio: the upper bits of the
    // product depend on all bits, and neighbouring numbers lie far apart (Knuth, The Art of Computer Programming 3, 6.4).
    [[nodiscard]] std::size_t home_of(std::size_t hash) const {
        return static_cast<std::size_t>((std::uint64_t{hash} * 0x9e37'79b9'7f4a'7c15U) >> shift_);
    }
    template <class K>
    [[nodiscard]] std::size_t home(const K& key) const {
        return home_of(hash_(key));
    }
    [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & (capacity_ - 1); }
    template <class K>
    [[nodiscard]] std::size_t free_place(const K& key) const {
        std::size_t at = home(key);
        while (slots_[at].owner) {
            at = next(at);
        }
        return at;
    }
    // `from` holds a key, `to` holds none.
    static void move(Slot& from, Slot& to) {
        ::new (static_cast<void*>(std::addressof(to.key))) Key(std::move_if_noexcept(from.key));
        to.owner = std::move(from.owner);
        from.key.~Key();
    }
    void resize(std::size_t capacity) {
        FlatTable larger(hash_, equal_);
        larger.slots_ = std::make_unique<Slot[]>(capacity);
        larger.capacity_ = capacity;
        larger.shift_ = 64U - static_cast<unsigned>(std::countr_zero(capacity));
        try {
            for (std::size_t at = 0; at < capacity_; ++at) {
                if (slots_[at].owner) {
                    move(slots_[at], larger.slots_[larger.free_place(slots_[at].key)]);
                }
            }
        } catch (...) {
            clear();
            throw;
        }
        larger.size_ = size_;
        swap(larger);
    }
    void remove(std::size_t at) {
        slots_[at].key.~Key();
        slots_[at].owner = Owner();
        --size_;
        try {
            // Keys behind it move forward if this one had pushed them back, up to the first free place.
            for (std::size_t from = next(at); slots_[from].owner; from = next(from)) {
                const std::size_t wanted = home(slots_[from].key);
                const std::size_t mask = capacity_ - 1;
                if (((from - wanted) & mask) >= ((from - at) & mask)) {
                    move(slots_[from], slots_[at]);
                    at = from;
                }
            }
        } catch (...) {
            clear();
            throw;
        }
    }

    Hash hash_;
    Equal equal_;
    std::unique_ptr<Slot[]> slots_;
    /// A power of two, or 0.
    std::size_t capacity_ = 0;
    /// 64 minus the number of bits in an index.
    unsigned shift_ = 0;
    std::size_t size_ = 0;
};

}  // namespace soft::detail
