// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PageIndex: maps page keys to a slot and a weight, by a hash table in one piece of memory. A lookup misses the processor's cache
// once; with std::unordered_map it would miss three times. The table has at least 1.5 entries a page, of 16 bytes each, and never
// shrinks. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

class PageIndex {
public:
    struct Entry {
        PageKey key = 0;
        std::uint32_t slot = 0;
        std::uint32_t weight = 0;  // 0: no entry
    };

    PageIndex();

    // Returns the entry of a key, or null. It is valid until the next insert() or erase().
    [[nodiscard]] Entry* find(PageKey key);
    [[nodiscard]] const Entry* find(PageKey key) const { return const_cast<PageIndex*>(this)->find(key); }

    // Adds an entry. Its key must not be in the table; its weight must not be 0.
    void insert(const Entry& entry);

    // Removes an entry that find() returned.
    void erase(Entry* entry);

    [[nodiscard]] std::size_t size() const { return size_; }

    // Returns all entries of the table; those with weight 0 are free.
    [[nodiscard]] std::vector<Entry>& table() { return table_; }

private:
    [[nodiscard]] std::size_t home_of(PageKey key) const;
    [[nodiscard]] std::size_t next(std::size_t place) const { return (place + 1) & (table_.size() - 1); }
    void grow();

    std::vector<Entry> table_;  // its size is a power of two; open addressing, linear probing
    std::size_t size_ = 0;
};

}  // namespace tmm::core
