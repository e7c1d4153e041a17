// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Trace: all touches of an owner's days, second by second, in units of memory. Made from an owner's patterns and a seed, or from
// a recording; it does not depend on the system that is simulated with it, so that all systems see the same days. Pure;
// deterministic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pattern.hpp"

namespace tmm::days {

// More than these fit into no simulation.
inline constexpr std::size_t max_events = 400'000'000;
inline constexpr std::size_t max_units = 1U << 30;

struct Event {
    std::uint32_t second = 0;
    std::uint32_t unit : 30 = 0;
    std::uint32_t frees : 1 = 0;  // the unit goes away for good; else it is touched
    std::uint32_t waits : 1 = 0;  // the owner waits if it misses
};

struct Trace {
    std::uint64_t unit_bytes = 0;
    std::uint32_t seconds = 0;
    std::vector<Event> events;             // by second
    std::vector<std::uint8_t> is_file;     // by unit
    std::vector<std::uint16_t> cgroup_of;  // by unit, from 0 on; empty: all are in one
    std::vector<std::uint8_t> attended;    // by second
    std::vector<float> activity;           // processors in use, by second
    std::vector<std::uint32_t> returns;    // first seconds after at least two minutes without the owner; not the first arrival

    [[nodiscard]] std::uint32_t nr_units() const { return static_cast<std::uint32_t>(is_file.size()); }
    // Whether the owner waits if this touch misses.
    [[nodiscard]] bool owner_waits(const Event& event) const { return event.waits != 0 && attended[event.second] != 0; }
};

// Sums up values by second in the first minute after each return, in the order of time.
std::vector<double> after_returns(const Trace& trace, const std::vector<double>& by_second);

struct TraceOptions {
    std::uint64_t memory_bytes = 0;
    std::uint64_t unit_bytes = 0;  // at least 4096
    double scale = 1;              // of all sizes
    std::uint64_t seed = 1;
};

// patterns: one for each of owner.parts. Error: more units or touches than fit.
Result<Trace> make_trace(const Owner& owner, const std::vector<Pattern>& patterns, const TraceOptions& options);

}  // namespace tmm::days
