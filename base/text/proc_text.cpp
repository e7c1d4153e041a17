// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text/proc_text.hpp"

#include <algorithm>
#include <cerrno>

#include "base/units.hpp"

namespace tmm {

std::string_view next_line(std::string_view& text) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

std::string_view next_word(std::string_view& line) {
    constexpr std::string_view blanks = " \t";
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    const auto end = std::min(line.find_first_of(blanks), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(end);
    return word;
}

std::string escape_path(std::string_view path) {
    std::string word;
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte > ' ' && byte != 0x7f && c != '\\') {
            word += c;
            continue;
        }
        word += '\\';
        for (const int shift : {6, 3, 0})
            word += static_cast<char>('0' + (byte >> shift & 7));
    }
    return word;
}

Result<std::string> unescape_path(std::string_view text) {
    const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
    std::string path;
    while (!text.empty()) {
        if (text[0] != '\\') {
            path += text[0];
            text.remove_prefix(1);
            continue;
        }
        if (text.size() < 4 || text[1] > '3' || !std::all_of(text.begin() + 1, text.begin() + 4, is_octal))
            return Error(EINVAL, "a backslash without three octal digits");
        path += static_cast<char>((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0'));
        text.remove_prefix(4);
    }
    return path;
}

Result<std::uint64_t> parse_stat(std::string_view text, std::string_view name) {
    while (!text.empty()) {
        const std::string_view line = next_line(text);
        if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == ' ') {
            auto value = parse_uint(line.substr(name.size() + 1));
            if (!value)
                return std::move(value).error().with_context(std::string(name));
            return value;
        }
    }
    return Error(ENODATA, "no line " + std::string(name));
}

Result<std::uint64_t> parse_meminfo_bytes(std::string_view meminfo, std::string_view name) {
    while (!meminfo.empty()) {
        const std::string_view line = next_line(meminfo);
        if (!line.starts_with(name) || line.substr(name.size(), 1) != ":")
            continue;
        auto bytes = parse_bytes(line.substr(name.size() + 1));
        if (!bytes)
            return std::move(bytes).error().with_context(std::string(name));
        return bytes;
    }
    return Error(ENOENT, "no line " + std::string(name));
}

Result<std::uint64_t> parse_pressure_us(std::string_view text, std::string_view kind) {
    constexpr std::string_view total = "total=";
    while (!text.empty()) {
        std::string_view line = next_line(text);
        if (next_word(line) != kind)
            continue;
        for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
            if (word.starts_with(total))
                return parse_uint(word.substr(total.size()));
        }
    }
    return Error(ENODATA, "no line " + std::string(kind) + " with a total");
}

}  // namespace tmm
