// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LruStack: exact LRU stack positions, one reference at a time (Mattson et al. 1970). Each page has a slot on a line of time; the
// pages above it are those in later slots, which a Fenwick tree over blocks of slots counts in O(log n). When the line is full
// the pages are numbered anew: memory is bounded by the number of pages in the stack, not by that of references. What tmmd
// measures by reference bits is compared with this. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tmmd/core/pages.hpp"
#include "tmmd/replay/page_index.hpp"

namespace tmm::core {

class LruStack {
public:
    // Where a page was.
    struct Place {
        Pages above{0};            // weight of all pages used after it
        std::uint32_t weight = 0;  // its own
        bool since_mark = false;   // it was used after the last mark()
    };

    LruStack();

    // Uses a page: puts it on top, with this weight from now on. Where it was before, or nothing if it was not in the stack.
    std::optional<Place> touch(PageKey key, std::uint32_t weight);

    // Takes a page out. Where it was, or nothing if it was not in the stack.
    std::optional<Place> remove(PageKey key);

    // Pages used from now on are since_mark.
    void mark() { mark_ = next_slot_; }

    [[nodiscard]] bool contains(PageKey key) const { return entries_.find(key) != nullptr; }
    [[nodiscard]] Pages pages() const { return pages_; }  // weight of all
    [[nodiscard]] std::size_t size() const { return entries_.size(); }

private:
    [[nodiscard]] Place place_of(const PageIndex::Entry& entry) const;
    [[nodiscard]] Pages weight_up_to(std::uint32_t slot) const;
    void set_weight(std::uint32_t slot, std::uint32_t weight);
    void renumber();

    PageIndex entries_;
    std::vector<std::uint32_t> weights_;  // of the page in each slot; 0: none
    std::vector<Pages> tree_;             // Fenwick tree over blocks of slots, from index 1
    std::uint32_t next_slot_ = 0;
    std::uint32_t mark_ = 0;
    Pages pages_{0};
};

}  // namespace tmm::core
