// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Spans and points of time, as people write and read them. Pure but for the time zone (tzset(3)), which they take from libc.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace tmm::ctl {

// A span of one or more numbers with units: "30min", "1h30m", "90 s", "2d". Error: other text, or not within 1 s to a year.
Result<std::chrono::seconds> parse_span(std::string_view text);

// How long the pause is to last that the words ask for: none is 0 (until it is resumed); else a span, "until HH:MM" (the next
// time that the clock shows it), "tomorrow" or "until tomorrow". now: seconds since 1970.
Result<std::chrono::seconds> parse_pause(const std::vector<std::string>& words, std::time_t now);

// "HH:MM-HH:MM". Error: other text, or twice the same time.
Result<void> check_quiet_hours(std::string_view text);

// "8 h 12 min", "45 s": the two largest units.
std::string format_span(std::chrono::seconds span);

// Local times. "22:41:07"
std::string format_clock(std::uint64_t time_us);
// "2026-11-21 22:41"
std::string format_date(std::uint64_t time_us);
// "22:41", with the date unless both are of one day.
std::string format_near(std::uint64_t time_us, std::time_t now);

}  // namespace tmm::ctl
