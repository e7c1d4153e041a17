// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LruStack: gives exact LRU stack positions, one reference at a time (Mattson et al. 1970). They are the reference for the
// positions that tmmd derives from reference bits. Each page has a slot on a line of time. The pages above it are those in later
// slots; a Fenwick tree over blocks of slots counts them in O(log n). When the line is full, the pages are numbered anew, so the
// number of pages in the stack bounds memory, not that of references. Pure; not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tmmd/core/pages.hpp"
#include "tmmd/replay/lru/page_index.hpp"

namespace tmm::core {

class LruStack {
public:
    // The position of a page before a call.
    struct Place {
        Pages above{0};            // weight of all pages used after it
        std::uint32_t weight = 0;  // its own
        bool since_mark = false;   // it was used after the last mark()
    };

    LruStack();

    // Uses a page: puts it on top, with this weight from now on. Returns its place before, or none if it was not in the stack.
    std::optional<Place> touch(PageKey key, std::uint32_t weight);

    // Removes a page. Returns its place, or none if it was not in the stack.
    std::optional<Place> remove(PageKey key);

    // Sets the mark: pages used from now on are since_mark.
    void mark() { mark_ = next_slot_; }

    [[nodiscard]] bool contains(PageKey key) const { return entries_.find(key) != nullptr; }
    [[nodiscard]] Pages pages() const { return pages_; }  // weight of all pages
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
