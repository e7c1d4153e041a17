// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MissCurve: misses over the size of an LRU memory, at a resolution that follows the number of pages: steps of one page at first,
// twice as wide whenever the positions do not fit any more, so that the curve has 1024 to 2048 steps. First uses miss at every
// size. Not thread-safe.
#pragma once

#include <utility>

#include "tmmd/core/histogram/lru_histogram.hpp"

namespace tmm::replay {

class MissCurve {
public:
    static constexpr std::size_t nr_steps = 2048;

    MissCurve() : positions_(core::Pages(1), nr_steps) {}
    // Positions that were collected elsewhere.
    MissCurve(core::LruHistogram positions, double first_uses) : positions_(std::move(positions)), first_uses_(first_uses) {}

    // Accesses with so many pages above.
    void add(core::Pages position, double accesses);
    [[nodiscard]] const core::LruHistogram& positions() const { return positions_; }

    void add_first_uses(double accesses) { first_uses_ += accesses; }
    [[nodiscard]] double first_uses() const { return first_uses_; }

    // Misses, first uses included, in a memory of size pages, a multiple of step().
    [[nodiscard]] double misses(core::Pages size) const { return first_uses_ + positions_.misses(size); }
    [[nodiscard]] core::Pages step() const { return positions_.bucket_pages(); }

private:
    core::LruHistogram positions_;
    double first_uses_ = 0;
};

// Absolute difference of two curves' misses, as a share of references, at the sizes from (exclusive) to to (inclusive): the mean
// and the largest. Without a size in that range both are 0.
struct CurveError {
    double mean = 0;
    double largest = 0;
};
CurveError difference(const MissCurve& left, const MissCurve& right, double references, core::Pages from, core::Pages to);

}  // namespace tmm::replay
