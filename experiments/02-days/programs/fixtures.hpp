// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What several tests need.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "store.hpp"
#include "system.hpp"
#include "trace.hpp"

namespace tmm::days {

// Touches of (second, unit), attended all the time; anonymous memory.
inline Trace trace_of(std::uint32_t seconds, std::uint32_t units,
                      const std::vector<std::pair<std::uint32_t, std::uint32_t>>& touches) {
    Trace trace;
    trace.unit_bytes = page_bytes;
    trace.seconds = seconds;
    trace.is_file.assign(units, 0);
    trace.attended.assign(seconds, 1);
    trace.activity.assign(seconds, 0.2F);
    for (const auto& [second, unit] : touches)
        trace.events.push_back({.second = second, .unit = unit, .frees = 0, .waits = 1});
    return trace;
}

inline Machine machine_for(const Trace& trace, std::uint32_t capacity, const std::string& store = "hdd") {
    return {.is_file = &trace.is_file,
            .cgroup_of = trace.cgroup_of.empty() ? nullptr : &trace.cgroup_of,
            .capacity = capacity,
            .unit_bytes = trace.unit_bytes,
            .store = *store_named(store, 0.35)};
}

// A trace of one owner with one pattern, or a failed test.
inline Trace made(const std::string& owner_text, const std::string& pattern_text, const TraceOptions& options) {
    const auto owner = parse_owner(owner_text, "owner", "owner.ini");
    const auto pattern = parse_pattern(pattern_text, "pattern", "pattern.ini");
    EXPECT_TRUE(owner.has_value()) << (owner ? "" : owner.error().message());
    EXPECT_TRUE(pattern.has_value()) << (pattern ? "" : pattern.error().message());
    auto trace = make_trace(*owner, {*pattern}, options);
    EXPECT_TRUE(trace.has_value());
    return *std::move(trace);
}

}  // namespace tmm::days
