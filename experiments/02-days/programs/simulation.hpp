// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Simulation: an owner's days with one system on one machine, and what came of it. The days go on at their pace however long the
// owner waits (open loop): a minute may hold more than a minute of waiting, which is what its work would take longer.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "store.hpp"
#include "system.hpp"
#include "trace.hpp"

namespace tmm::days {

struct Outcome {
    double limit_mean = 0;                 // units; what opaque memory might have had
    double donated = 0;                    // unit-seconds that contributions had
    std::uint64_t misses = 0;              // pages that came back, the owner present or not
    double waited = 0;                     // seconds that the owner waited
    double worst_day = 0;                  // of them in one day
    double worst_minute = 0;               // and in one minute
    std::vector<double> returns;           // in the first minute after each return, in the order of time
    std::array<double, nr_rules> rules{};  // share of the time that each set the limit
};

// A look at a run in the middle.
struct Progress {
    std::uint32_t second = 0;
    std::uint32_t limit = 0;  // units
    std::uint32_t resident = 0;
    double waited = 0;  // by the owner so far, seconds
    Rule rule = Rule::none;
};

// watch: called every so many seconds, if given.
Outcome simulate(const Trace& trace, const Machine& machine, System& system,
                 const std::function<void(const Progress&)>& watch = {}, std::uint32_t watch_every = 600);

// Smallest value that at least this share of the values does not exceed; 0 without values.
double percentile(std::vector<double> values, double share);

}  // namespace tmm::days
