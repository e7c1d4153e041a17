// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Converts text to numbers with units and back, as people and kernel files write them. All functions are pure. Blanks around a
// number are ignored. Error of the parsers: EINVAL for other text, ERANGE for a number that is too large.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tmm {

// Returns text without leading and trailing blanks and line ends.
std::string_view trim(std::string_view text);

// Parses a decimal unsigned number, at most 2^64 - 1.
Result<std::uint64_t> parse_uint(std::string_view text);

// Parses a finite decimal number ("0.05", "1e-3"). One that is too large is EINVAL.
Result<double> parse_double(std::string_view text);

// Parses a number of bytes with an optional suffix K, M, G or T (powers of 1024; "KiB", "MB" and the like are the same).
Result<std::uint64_t> parse_bytes(std::string_view text);

// Parses a time: a number with the unit ms, s, min or h ("500ms", "2s", "10min", "2.5 s"). Without a unit only 0 is valid.
Result<std::chrono::nanoseconds> parse_duration(std::string_view text);

// Parses "yes", "true", "on", "1" and their opposites.
Result<bool> parse_bool(std::string_view text);

// Returns "5.1 GiB", "300 MiB", "12 KiB", for people: the one convention of all programs.
std::string format_bytes(std::uint64_t bytes);

// Returns value with so many digits behind the point. It is a point ("0.40") in every locale.
std::string format_fixed(double value, int digits);

}  // namespace tmm
