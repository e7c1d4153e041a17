// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ways to divide soft memory among programs: tmmd's, and those of others. The simulation and the real programs use the same.
// Pure.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "tmmd/core/soft/soft_heap.hpp"

namespace tmm::soft_memory {

// A program as the system sees it.
struct Seen {
    core::SoftHeap report;
    double rebuild_s = 0;  // that it spent on rebuilding since its start
};

// Chooses budgets, once a second.
class Divider {
public:
    virtual ~Divider() = default;
    // Returns a budget for each program, in their order, which never changes.
    virtual std::vector<Bytes> divide(Bytes total, const std::vector<Seen>& programs) = 0;
};

// Equal parts for ever.
std::unique_ptr<Divider> equal_parts();
// These parts for ever.
std::unique_ptr<Divider> fixed_parts(std::vector<Bytes> parts);
// core/soft/division, as tmmd runs it.
std::unique_ptr<Divider> coordinator();
// Midas (NSDI'24) 4.3.2: probes the programs in turn with a little more memory for some seconds each, and moves memory from the
// one that gains least to the one that gains most.
std::unique_ptr<Divider> hill_climbing();
// CacheLib's marginal hits: moves memory from the program with the fewest hits near its end to the one with most, by a moving
// average.
std::unique_ptr<Divider> marginal_hits();
// Cliffhanger (NSDI'16) without its scaling of cliffs, as Midas's authors compared it: each hit just beyond the end of a program
// moves a credit to it, from the others in equal parts.
std::unique_ptr<Divider> cliffhanger();
// softlib without tmmd: each heap follows the free memory of a machine of this size by itself (soft::budget_rule).
std::unique_ptr<Divider> each_for_itself();

// The names of all that need no parts: "equal", "hill-climbing", ...
std::vector<std::string_view> divider_names();
// nullptr: there is none of this name.
std::unique_ptr<Divider> divider_named(std::string_view name);

}  // namespace tmm::soft_memory
