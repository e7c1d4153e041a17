// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// UTF-8, as it comes from outside: names of programs, text of messages. All functions are pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tmm {

// Takes the first code point off text, which must not be empty. None: one byte was taken off that is not UTF-8 (cut off,
// overlong, a surrogate, above U+10FFFF).
std::optional<char32_t> take_code_point(std::string_view& text);

// Whether a terminal would act on it, or show text in another order because of it, instead of showing it: controls, line and
// paragraph separators, marks of direction.
bool is_control(char32_t code_point);

// Whether it is shown as nothing at all, so that a text with it looks like another: zero-width spaces and joiners, invisible
// operators, the byte order mark.
bool is_invisible(char32_t code_point);

// The same text with such characters, and bytes that are no UTF-8, written as "\x1b" or "\u202e": safe to print on a terminal.
std::string printable(std::string_view text);

// Columns that printable text takes on a terminal: 2 for wide letters (CJK, emoji), 0 for combining marks.
std::size_t columns_of(std::string_view text);

// At most so many columns; what is cut off is shown by an ellipsis at the end.
std::string cut_to_columns(std::string_view text, std::size_t columns);

}  // namespace tmm
