// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Parses and formats spans and points of time for people. Pure but for the time zone of libc (tzset(3)). time_us: microseconds
// since 1970.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace tmm::ctl {

// Parses one or more numbers with units: "30min", "1h30m", "90 s", "2d". Error: EINVAL other text, ERANGE not from 1 s to a year.
Result<std::chrono::seconds> parse_span(std::string_view text);

// Returns the length of the pause that the words ask for. No word is 0, until resumed; else a span, "until HH:MM" (the next time
// that the clock shows it), "tomorrow" or "until tomorrow". now: seconds since 1970. Error: as parse_span().
Result<std::chrono::seconds> parse_pause(const std::vector<std::string>& words, std::time_t now);

// Accepts "HH:MM-HH:MM". Error: EINVAL other text, or twice the same time.
Result<void> check_quiet_hours(std::string_view text);

// Returns the two largest units: "8 h 12 min", "45 s".
std::string format_span(std::chrono::seconds span);

// Local times. "22:41:07"
std::string format_clock(std::uint64_t time_us);
// "2026-11-21 22:41"
std::string format_date(std::uint64_t time_us);
// "22:41", with the date if the day is not that of now.
std::string format_near(std::uint64_t time_us, std::time_t now);

}  // namespace tmm::ctl
