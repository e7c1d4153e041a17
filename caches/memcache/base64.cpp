// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/memcache/base64.hpp"

#include <cstdint>

namespace tmm::caches::memcache {
namespace {

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t group_letters = 4;
constexpr std::size_t group_bytes = 3;

}  // namespace

std::string encode_base64(std::string_view bytes) {
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += group_bytes) {
        const std::string_view group = bytes.substr(at, group_bytes);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < group_bytes; ++i)
            bits = bits << 8 | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
        for (std::size_t i = 0; i < group_letters; ++i)
            text += i <= group.size() ? letters[bits >> (18 - 6 * i) & 63] : '=';
    }
    return text;
}

std::optional<std::string> decode_base64(std::string_view text) {
    if (text.size() % group_letters != 0)
        return std::nullopt;
    std::size_t padding = 0;
    while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=')
        ++padding;
    std::string bytes;
    for (std::size_t at = 0; at < text.size(); at += group_letters) {
        const bool last = at + group_letters == text.size();
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < group_letters; ++i) {
            const bool pad = last && i >= group_letters - padding;
            const std::size_t value = pad ? 0 : letters.find(text[at + i]);
            if (value == std::string_view::npos)
                return std::nullopt;
            bits = bits << 6 | static_cast<std::uint32_t>(value);
        }
        for (std::size_t i = 0; i < group_bytes - (last ? padding : 0); ++i)
            bytes += static_cast<char>(bits >> (16 - 8 * i) & 255);
    }
    return bytes;
}

}  // namespace tmm::caches::memcache
