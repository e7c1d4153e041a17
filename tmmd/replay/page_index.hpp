// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PageIndex: a hash table from page keys to a place and a weight, in one piece of memory: a look-up is one miss of the
// processor's cache, where std::unordered_map has three. Half as many entries again as pages, 16 bytes each, at least; it never
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

    // Null if it is not there. What is returned is good until the next insert() or erase().
    [[nodiscard]] Entry* find(PageKey key);
    [[nodiscard]] const Entry* find(PageKey key) const { return const_cast<PageIndex*>(this)->find(key); }

    // entry.key must not be there, entry.weight not be 0.
    void insert(const Entry& entry);

    // What find() returned.
    void erase(Entry* entry);

    [[nodiscard]] std::size_t size() const { return size_; }

    // All places of the table; those with weight 0 are free.
    [[nodiscard]] std::vector<Entry>& table() { return table_; }

private:
    [[nodiscard]] std::size_t home_of(PageKey key) const;
    [[nodiscard]] std::size_t next(std::size_t place) const { return (place + 1) & (table_.size() - 1); }
    void grow();

    std::vector<Entry> table_;  // a power of two; open addressing, linear probing
    std::size_t size_ = 0;
};

}  // namespace tmm::core
