// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace tmm {

namespace {

using Range = std::pair<char32_t, char32_t>;  // first and last

bool is_in(char32_t code_point, const Range* begin, const Range* end) {
    return std::any_of(begin, end, [&](const Range& range) { return range.first <= code_point && code_point <= range.second; });
}

// The blocks that names are likely to hold. On a terminal with other widths, tables are slightly misaligned.
constexpr std::array<Range, 7> combining{
    {{0x300, 0x36F}, {0x483, 0x489}, {0x591, 0x5BD}, {0x64B, 0x65F}, {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};
constexpr std::array<Range, 9> wide{{{0x1100, 0x115F},
                                     {0x2E80, 0x303E},
                                     {0x3041, 0xA4CF},
                                     {0xAC00, 0xD7A3},
                                     {0xF900, 0xFAFF},
                                     {0xFE30, 0xFE6F},
                                     {0xFF00, 0xFF60},
                                     {0x1F300, 0x1FAFF},
                                     {0x20000, 0x3FFFD}}};

std::size_t columns_of(char32_t code_point) {
    if (is_in(code_point, combining.begin(), combining.end()))
        return 0;
    return is_in(code_point, wide.begin(), wide.end()) ? 2 : 1;
}

std::string escaped(char32_t code_point) {
    std::array<char, 16> buffer{};
    std::snprintf(buffer.data(), buffer.size(), code_point < 0x100 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(code_point));
    return buffer.data();
}

}  // namespace

std::optional<char32_t> take_code_point(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    char32_t code_point = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    bool valid = length > 0 && length <= text.size();
    for (std::size_t i = 1; valid && i < length; ++i) {
        valid = (byte(i) & 0xC0U) == 0x80;
        code_point = code_point << 6U | (byte(i) & 0x3FU);
    }
    constexpr std::array<char32_t, 5> min_of_length{0, 0, 0x80, 0x800, 0x10000};
    valid =
        valid && code_point >= min_of_length.at(length) && code_point <= 0x10FFFF && (code_point < 0xD800 || code_point > 0xDFFF);
    text.remove_prefix(valid ? length : 1);
    return valid ? std::optional(code_point) : std::nullopt;
}

bool is_control(char32_t code_point) {
    constexpr std::array<Range, 7> controls{
        {{0, 0x1F}, {0x7F, 0x9F}, {0x61C, 0x61C}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFFF9, 0xFFFB}}};
    return is_in(code_point, controls.begin(), controls.end());
}

bool is_invisible(char32_t code_point) {
    constexpr std::array<Range, 3> invisible{{{0x200B, 0x200D}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}}};
    return is_in(code_point, invisible.begin(), invisible.end());
}

std::string printable(std::string_view text) {
    std::string shown;
    while (!text.empty()) {
        const std::string_view before = text;
        const auto code_point = take_code_point(text);
        if (!code_point)
            shown += escaped(static_cast<unsigned char>(before[0]));
        else if (is_control(*code_point))
            shown += escaped(*code_point);
        else
            shown += before.substr(0, before.size() - text.size());
    }
    return shown;
}

std::size_t columns_of(std::string_view text) {
    std::size_t columns = 0;
    while (!text.empty())
        columns += columns_of(take_code_point(text).value_or('?'));
    return columns;
}

std::string cut_to_columns(std::string_view text, std::size_t columns) {
    if (columns_of(text) <= columns)
        return std::string(text);
    if (columns == 0)
        return {};
    std::size_t used = 1;  // the ellipsis
    std::string_view rest = text;
    for (std::string_view next = rest; !next.empty(); rest = next) {
        used += columns_of(take_code_point(next).value_or('?'));
        if (used > columns)
            break;
    }
    return std::string(text.substr(0, text.size() - rest.size())) + "…";
}

}  // namespace tmm
