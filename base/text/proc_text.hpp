// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Parses the kernel's text files below /proc, /sys and cgroups: lines of words and numbers. TMM has no other such parser. Pure;
// thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tmm {

// Removes the first line from text, with its line end, and returns it without one. A text without a line end is one line.
std::string_view next_line(std::string_view& text);

// Removes the first word from line, with the blanks and tabs before it, and returns it; empty when the line has no more words.
std::string_view next_word(std::string_view& line);

// Encodes blanks, control characters and backslashes of a path as \ooo, as the kernel does, so that it is one word; and decodes
// it. Error: EINVAL, a backslash without three octal digits.
std::string escape_path(std::string_view path);
Result<std::string> unescape_path(std::string_view word);

// Returns the number in the line "name number", as in /proc/vmstat, memory.stat and cpu.stat. Error: ENODATA if no line has this
// name; EINVAL or ERANGE if its value is no number.
Result<std::uint64_t> parse_stat(std::string_view text, std::string_view name);

// The bytes in the line "name: number kB" of /proc/meminfo and /proc/PID/status. name: without the colon, such as "MemTotal".
// Error: ENOENT if no line has this name; EINVAL or ERANGE if its value is no size.
Result<std::uint64_t> parse_meminfo_bytes(std::string_view meminfo, std::string_view name);

// The microseconds of "total=" in the line of a pressure file (PSI) that begins with kind: "some" or "full".
// Error: ENODATA if there is no such line with a total; EINVAL or ERANGE if it is no number.
Result<std::uint64_t> parse_pressure_us(std::string_view text, std::string_view kind);

}  // namespace tmm
