// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The exact miss curve of a sequence of touches (Mattson et al., Evaluation techniques for storage hierarchies, 1970), for the
// oracle. Pure. Not thread-safe. Time: O(log nr_pages) a touch; memory: some 60 bytes a page.
#pragma once

#include <cstdint>
#include <vector>

#include "pattern.hpp"
#include "tmmd/replay/lru/lru_stack.hpp"

namespace tmm::desk {

// Counts the misses of an LRU memory by its size. First touches miss in a memory of any size and do not count.
class MissCurve {
public:
    // Pages are 0 to nr_pages - 1, at least one.
    explicit MissCurve(PageIndex nr_pages) : touches_at_(nr_pages, 0) {}

    void touch(PageIndex page);

    struct Step {
        PageIndex size_pages;  // from this size on, up to the next step's
        std::uint64_t misses;
    };
    // From size 0 on, only where the number of misses changes.
    [[nodiscard]] std::vector<Step> steps() const;

private:
    core::LruStack stack_;
    std::vector<std::uint64_t> touches_at_;  // by stack distance: number of other pages touched since the page's last touch
};

}  // namespace tmm::desk
