// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Oracle: the most that anybody who knew the future could have given while the owner waits no longer than so many seconds.
//
// Between two touches a unit stays or is evicted. Evicted it frees the seconds until its next touch, which then costs the owner a
// miss; nothing if the owner is away, the use is one that nobody waits for, or the unit is never touched again. These choices do
// not depend on each other, so the least memory within a bound of waiting is a knapsack: evict first what frees most unit-seconds
// for a second of waiting. The last choice is taken in part, which makes it the optimum of the fractional problem. That the
// owner's memory ends somewhere is not imposed. For both reasons nobody, future known or not, can give more; where all fits and
// the bound is a sum of misses, the oracle's choice can be had exactly.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "system.hpp"
#include "trace.hpp"

namespace tmm::days {

class Oracle {
public:
    Oracle(const Trace& trace, const Machine& machine);

    // Unit-seconds given, when the owner waits at most so many seconds in all.
    [[nodiscard]] double donated(double waited) const;

    // Seconds that the owner then waits in the first minute after each return, in the order of time. trace: the constructor's.
    [[nodiscard]] std::vector<double> returns(const Trace& trace, double waited) const;

private:
    // Returns how many choices fit into that waiting, the last one in part.
    [[nodiscard]] double nr_taken(double waited) const;

    std::array<double, 2> cost_of_{};  // of a miss, anonymous and file
    double free_ = 0;                  // unit-seconds that are given without any waiting
    // Of the choices that cost, the best first: what the first n of them free and cost together.
    std::vector<double> freed_;
    std::vector<double> cost_;
    std::array<std::vector<std::uint32_t>, 2> choice_of_;  // by kind and seconds freed: its place in that order
};

}  // namespace tmm::days
