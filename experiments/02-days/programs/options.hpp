// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Options of owner-days.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace tmm::days {

// So many units make a machine unless asked otherwise: the fewest samples that tmmd works with (core's EpochPace).
inline constexpr std::uint64_t units_per_machine = 8192;
inline constexpr std::uint64_t min_units = 64;

struct Options {
    bool help = false;
    std::string owner;     // path
    std::string patterns;  // folder; empty: ../patterns beside the owner's
    std::uint64_t memory_bytes = 16ULL << 30;
    std::uint64_t unit_bytes = 0;  // 0: memory / units_per_machine, or that of the recording
    std::string recording;         // path; empty: the owner's patterns make the days
    std::vector<std::string> stores{"hdd"};
    std::vector<std::string> systems;  // empty: all
    double scale = 1;
    double compressed = 0.35;
    std::uint64_t seed = 1;
    std::string timeline;                                // path; empty: none
    bool contributions = true;                           // they take what systems give
    std::optional<std::chrono::nanoseconds> break_even;  // of all systems of TMM with the reuse objective; none: as shipped
};

// Error: EINVAL with what is wrong.
Result<Options> parse_options(int argc, char** argv);

std::string help_text();

}  // namespace tmm::days
