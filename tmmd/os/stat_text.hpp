// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers in the kernel's text files of lines "name number": /proc/vmstat, memory.stat, cpu.stat. Pure.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace tmm::os {

// The text before the first line end, which is cut off the text with that line end. What is left of a text without one is a line.
std::string_view next_line(std::string_view& text);

// The text before the first blank or tab, cut off the line with all blanks around it; empty when only blanks are left.
std::string_view next_word(std::string_view& line);

// The number behind name. Error: no such line, no number.
Result<std::uint64_t> parse_stat(std::string_view text, std::string_view name);

}  // namespace tmm::os
