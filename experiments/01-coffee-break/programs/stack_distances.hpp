// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Exact LRU stack distances of a sequence of touches (Mattson et al., Evaluation techniques for storage hierarchies, 1970): what
// the oracle's curve is made of. Pure. Not thread-safe. Time: O(log nr_pages) a touch; memory: 16 bytes a page.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pattern.hpp"

namespace tmm::coffee {

class StackDistances {
public:
    // Pages are 0 to nr_pages - 1, at least one.
    explicit StackDistances(PageIndex nr_pages);

    // How many other pages were touched since the last touch of this one; nothing for its first touch. A memory of more pages
    // than that still has it.
    std::optional<PageIndex> touch(PageIndex page);

private:
    void mark(std::size_t time, std::int32_t change);
    [[nodiscard]] std::uint32_t marks_until(std::size_t time) const;
    void renumber();

    // Each page that was touched is marked at the time of its last touch. The marks are in a Fenwick tree, so that those between
    // two times are quickly counted. Times are from 1 on, 0: never; when they have reached the tree's end, they are numbered
    // anew.
    std::vector<std::uint32_t> tree_;
    std::vector<std::uint32_t> time_of_page_;
    std::size_t now_ = 0;
    std::uint32_t marked_ = 0;
};

// How often a memory of a given size, replaced by LRU, would have missed. First touches miss in a memory of any size and do not
// count.
class MissCurve {
public:
    explicit MissCurve(PageIndex nr_pages) : touches_at_(nr_pages, 0) {}

    void add(PageIndex distance) { ++touches_at_[distance]; }

    struct Step {
        PageIndex size_pages;  // from this size on, up to the next step's
        std::uint64_t misses;
    };
    // From size 0 on, only where the number of misses changes.
    [[nodiscard]] std::vector<Step> steps() const;

private:
    std::vector<std::uint64_t> touches_at_;
};

}  // namespace tmm::coffee
