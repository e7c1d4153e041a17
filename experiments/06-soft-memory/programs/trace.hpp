// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Trace: the recorded uses of a real cache, from text in CSV (experiments/traces). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tmm::soft_memory {

struct Trace {
    std::vector<std::uint32_t> uses;        // units, in their order
    std::vector<std::uint32_t> unit_bytes;  // of each unit at its first use
};

struct TraceColumns {
    std::size_t key = 0;
    std::size_t bytes = 0;
};

// Numbers the keys in the order of their first uses, and multiplies their sizes. Lines without two numbers there are left out.
Trace parse_trace(std::string_view csv, TraceColumns columns, std::uint32_t times_bytes = 1);

// Of Twitter: small values, so each stands for 64 times its size. Of CloudPhysics: as it is. Both have a footprint of 2 GB.
Trace parse_twitter(std::string_view csv);
Trace parse_cloud_physics(std::string_view csv);

}  // namespace tmm::soft_memory
