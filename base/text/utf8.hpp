// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Handles UTF-8 from outside: names of programs, texts of messages. All functions are pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tmm {

// Removes the first code point from text, which must not be empty, and returns it. None: it removed one byte that is not UTF-8
// (cut off, overlong, a surrogate, above U+10FFFF).
std::optional<char32_t> take_code_point(std::string_view& text);

// Returns whether a terminal would act on the code point instead of showing it, or reorder text because of it. Such are controls,
// line and paragraph separators, and marks of direction.
bool is_control(char32_t code_point);

// Returns whether the code point is invisible, so that two different texts seem equal: zero-width spaces and joiners, invisible
// operators, the byte order mark.
bool is_invisible(char32_t code_point);

// Returns text that is safe to print on a terminal: controls, and bytes that are not UTF-8, become "\x1b" or "\u202e".
std::string printable(std::string_view text);

// Returns the columns that printable text takes on a terminal: 2 for wide letters (CJK, emoji), 0 for combining marks.
std::size_t columns_of(std::string_view text);

// Returns text cut to at most so many columns; an ellipsis at its end shows the cut.
std::string cut_to_columns(std::string_view text, std::size_t columns);

}  // namespace tmm
