// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers as the protocols write them: decimal digits, the whole text, no blanks. Pure, without allocation.
#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace tmm::caches::memcache {

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

// Appends number to a string or a buffer with append().
template <typename Number, typename Text>
void append_number(Text& text, Number number) {
    char digits[24];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
    static_cast<void>(error);  // 24 digits hold each 64-bit number
    text.append(digits, static_cast<std::size_t>(end - digits));
}

}  // namespace tmm::caches::memcache
