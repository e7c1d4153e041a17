// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/lru/miss_curve.hpp"

#include <algorithm>
#include <cmath>

namespace tmm::replay {

void MissCurve::add(core::Pages position, double accesses) {
    while (position >= nr_steps * step())
        positions_ = positions_.rebucketed(2 * step(), nr_steps);
    const double place = position.as_double();
    positions_.add(place, place, accesses);
}

CurveError difference(const MissCurve& left, const MissCurve& right, double references, core::Pages from, core::Pages to) {
    const core::Pages step = std::max(left.step(), right.step());  // a power of two, so both have these sizes
    CurveError error;
    double sum = 0;
    double nr_sizes = 0;
    for (core::Pages size = (from.count() / step.count() + 1) * step; size <= to; size += step) {
        const double here = std::abs(left.misses(size) - right.misses(size)) / references;
        sum += here;
        ++nr_sizes;
        error.largest = std::max(error.largest, here);
    }
    if (nr_sizes > 0)
        error.mean = sum / nr_sizes;
    return error;
}

}  // namespace tmm::replay
