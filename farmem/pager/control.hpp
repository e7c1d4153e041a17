// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What tmm-far asks of the pager: a line of words, answered by a text. "ok" or data comes first in an answer, or "error: " with
// the reason. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tmm::far {

struct Command {
    enum class Kind { run, limit, status, stop };
    Kind kind = Kind::status;
    std::string name;               // of a program
    std::uint64_t limit_bytes = 0;  // run, limit
    std::string store;              // run
    std::uint64_t window = 32;      // run: pages to fetch ahead of a thread that reads on, at most max_window
};

// The least local memory of a program.
inline constexpr std::uint64_t min_limit_bytes = 4 << 20;
inline constexpr std::uint64_t max_window = 1024;

// Parses "run NAME BYTES STORE WINDOW", "limit NAME BYTES", "status" or "stop NAME". Error: EINVAL.
Result<Command> parse_command(std::string_view line);
std::string format_command(const Command& command);

// Names of programs: 1 to 63 letters, digits, '-', '_' and '.'.
bool is_name(std::string_view name);

}  // namespace tmm::far
