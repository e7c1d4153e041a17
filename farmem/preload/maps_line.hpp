// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// parse_maps_line(): one line of /proc/PID/maps, as far as the hand needs it. Pure; neither allocates nor throws.
#pragma once

#include <cstdint>
#include <string_view>

namespace tmm::far {

struct MapsLine {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    bool is_private_anonymous = false;  // memory to read and write that no file and no stack is behind
};

namespace detail {

constexpr std::uint64_t take_hex(std::string_view& text) {
    std::uint64_t number = 0;
    for (; !text.empty(); text.remove_prefix(1)) {
        const char c = text.front();
        if (c >= '0' && c <= '9')
            number = number * 16 + static_cast<std::uint64_t>(c - '0');
        else if (c >= 'a' && c <= 'f')
            number = number * 16 + static_cast<std::uint64_t>(c - 'a') + 10;
        else
            break;
    }
    return number;
}

constexpr std::string_view take_word(std::string_view& text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    std::size_t length = 0;
    while (length < text.size() && text[length] != ' ')
        ++length;
    const std::string_view word = text.substr(0, length);
    text.remove_prefix(length);
    return word;
}

}  // namespace detail

// line: "5581-5582 rw-p 00000000 00:00 0   [heap]", without the end of the line.
constexpr MapsLine parse_maps_line(std::string_view line) {
    MapsLine found;
    found.first = detail::take_hex(line);
    if (line.empty() || line.front() != '-')
        return {};
    line.remove_prefix(1);
    found.last = detail::take_hex(line);
    const std::string_view access = detail::take_word(line);
    detail::take_word(line);  // offset
    detail::take_word(line);  // device
    const std::string_view inode = detail::take_word(line);
    const std::string_view name = detail::take_word(line);
    found.is_private_anonymous =
        access == "rw-p" && inode == "0" && (name.empty() || name == "[heap]" || name.substr(0, 6) == "[anon:");
    return found;
}

}  // namespace tmm::far
