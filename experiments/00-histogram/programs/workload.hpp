// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Synthetic owners: references of workloads whose best memory size is known or can be computed. The same shape gives the same
// references on every machine. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace tmm::histogram {

// Size and length of a trace.
struct Shape {
    std::uint64_t memory_pages = 131'072;  // working sets are shares of it; at least 1000
    double visits_per_s = 4000;            // pages visited while the owner works; above 0
    double seconds = 600;
    std::uint64_t seed = 1;
};

// One page, referenced several times in a row.
struct Visit {
    std::uint64_t t_us = 0;
    std::uint64_t page = 0;
    unsigned references = 1;
};
using Emit = std::function<void(const Visit&)>;

struct Workload {
    std::string_view name;
    std::string_view description;
    void (*generate)(const Shape& shape, const Emit& emit);
};

// zipf, loop, phases, scans, desktop, idle.
const std::vector<Workload>& workloads();
std::optional<Workload> workload_named(std::string_view name);

// Length of the break of "idle".
inline constexpr double idle_s = 72 * 3600;

}  // namespace tmm::histogram
