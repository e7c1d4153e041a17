// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Scenarios of simulated programs that share soft memory. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dividers.hpp"
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
// Two traces, a power law and a loop. Both traces live as long as the scenario.
Scenario real_traces(const Trace& requests, const Trace& blocks);

struct Outcome {
    std::vector<double> progress;  // of each program, from 60 to 120 s
    [[nodiscard]] double mean() const;
    [[nodiscard]] double mean_but_first() const;
};

Outcome run(const Scenario& scenario, Divider& divider, Bytes total, std::uint64_t seed);

// The best static parts by exact curves of the last phase.
std::vector<Bytes> best_static_parts(const Scenario& scenario, Bytes total, std::uint64_t seed);

}  // namespace tmm::soft_memory
