// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Scenarios of programs that share soft memory, and the ways to divide it among them: tmmd's, and those of others. Pure.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "program.hpp"

namespace tmm::soft_memory {

struct Scenario {
    std::string name;
    std::vector<Work> before;  // the programs, by which caches are warm when the division is switched on
    std::vector<Work> after;   // the same, or another phase of some; from half a minute after
    bool cold = false;         // nothing is warm
    double noise = 1;          // each report of cost is off by a factor up to this
    double lie = 1;            // of the first program's cost
};

// Of the issue of the coordinator, and one of each kind beside.
std::vector<Scenario> scenarios();

// Chooses budgets, once a second. It sees the programs as the system would.
class Divider {
public:
    virtual ~Divider() = default;
    virtual std::vector<Bytes> divide(Bytes total, const std::vector<core::SoftHeap>& reports,
                                      const std::vector<std::unique_ptr<Program>>& programs) = 0;
};

using MakeDivider = std::function<std::unique_ptr<Divider>()>;

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

struct Outcome {
    std::vector<double> progress;  // of each program, from 60 to 120 s
    double reached_at = 0;         // seconds until the mean stays within a tenth of its last
    [[nodiscard]] double mean() const;
};

Outcome run(const Scenario& scenario, Divider& divider, Bytes total, std::uint64_t seed);

// The best static parts by exact curves of the last phase.
std::vector<Bytes> best_static_parts(const Scenario& scenario, Bytes total, std::uint64_t seed);

}  // namespace tmm::soft_memory
