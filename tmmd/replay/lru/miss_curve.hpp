// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MissCurve: gives misses as a function of the size of an LRU memory. Its resolution follows the number of pages. Steps begin at
// one page and double whenever a position does not fit, so that the curve has 1024 to 2048 steps. First uses miss at every size.
// Pure; not thread-safe.
#pragma once

#include <utility>

#include "tmmd/core/histogram/distances/lru_histogram.hpp"

namespace tmm::replay {

class MissCurve {
public:
    static constexpr std::size_t nr_steps = 2048;

    MissCurve() : positions_(core::Pages(1), nr_steps) {}
    // positions: collected elsewhere. first_uses: accesses without a position.
    MissCurve(core::LruHistogram positions, double first_uses) : positions_(std::move(positions)), first_uses_(first_uses) {}

    // Adds accesses with so many pages above.
    void add(core::Pages position, double accesses);
    [[nodiscard]] const core::LruHistogram& positions() const { return positions_; }

    void add_first_uses(double accesses) { first_uses_ += accesses; }
    [[nodiscard]] double first_uses() const { return first_uses_; }

    // Returns the misses, first uses included, in a memory of size pages, a multiple of step().
    [[nodiscard]] double misses(core::Pages size) const { return first_uses_ + positions_.misses(size); }
    [[nodiscard]] core::Pages step() const { return positions_.bucket_pages(); }

private:
    core::LruHistogram positions_;
    double first_uses_ = 0;
};

// The absolute difference of two curves' misses, as a share of references: its mean and its largest value.
struct CurveError {
    double mean = 0;
    double largest = 0;
};
// Compares the curves at the sizes from (exclusive) to to (inclusive), in pages. references: above 0. Without a size in that
// range both values are 0.
CurveError difference(const MissCurve& left, const MissCurve& right, double references, core::Pages from, core::Pages to);

}  // namespace tmm::replay
