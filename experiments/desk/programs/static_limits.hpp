// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Static limits, the paper's second kind of system (its section 4): a share of the machine's memory for opaque applications.
// Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tmm::desk {

// Of /sys/kernel/mm/tmm, in bytes.
struct TmmMemory {
    std::uint64_t total = 0;
    std::uint64_t opaque_usage = 0;
    std::uint64_t transparent_usage = 0;
};

struct StaticLimits {
    std::uint64_t opaque_bytes = 0;
    std::uint64_t transparent_bytes = 0;
};

// The share is of the installed memory. The transparent class gets the rest of the memory that both classes can have together,
// which depends on the kernel's own consumption.
StaticLimits static_limits(unsigned opaque_percent, std::uint64_t installed_bytes, std::uint64_t total_bytes);

// Rows in the form of tmmd's timeline, as far as they concern limits.
std::string static_timeline_header();
std::string static_timeline_row(double t_s, unsigned opaque_percent, const StaticLimits& limits, const TmmMemory& memory);

}  // namespace tmm::desk
