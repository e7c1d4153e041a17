// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Text to numbers with units and back, as people and kernel files write them. All functions are pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tmm {

// Text without leading and trailing blanks and line ends.
std::string_view trim(std::string_view text);

// A decimal unsigned number and nothing else. Error: empty, other characters, above 2^64 - 1.
Result<std::uint64_t> parse_uint(std::string_view text);

// A finite decimal number ("0.05", "1e-3") and nothing else.
Result<double> parse_double(std::string_view text);

// Bytes: a number with an optional suffix K, M, G or T (powers of 1024; "KiB", "MB" and the like are the same). Error: overflow,
// other text.
Result<std::uint64_t> parse_bytes(std::string_view text);

// A span of time: a number with the unit ms, s, min or h ("500ms", "2s", "10min", "2.5 s"); no unit is an error unless the number
// is 0.
Result<std::chrono::nanoseconds> parse_duration(std::string_view text);

// "yes", "true", "on", "1" and their opposites.
Result<bool> parse_bool(std::string_view text);

// "5.1 GB", "300 MB", "12 kB": powers of 1024, for people.
std::string format_bytes(std::uint64_t bytes);

// A number with the given digits behind the point, always with a point ("0.40"), whatever the locale.
std::string format_fixed(double value, int digits);

}  // namespace tmm
