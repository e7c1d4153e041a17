// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/units.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <utility>

namespace tmm {

namespace {

Error bad(std::string_view what, std::string_view text) {
    return {EINVAL, "'" + std::string(text) + "' is not " + std::string(what)};
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
    return result;
}

struct NumberAndUnit {
    double number = 0;
    std::string unit;
};

Result<NumberAndUnit> split_unit(std::string_view text, std::string_view what) {
    const std::string_view trimmed = trim(text);
    const auto unit_start = std::find_if(trimmed.begin(), trimmed.end(), [](unsigned char c) { return std::isalpha(c); });
    const auto digits = static_cast<std::size_t>(unit_start - trimmed.begin());
    const auto number = parse_double(trimmed.substr(0, digits));
    if (!number || *number < 0)
        return bad(what, text);
    return NumberAndUnit{*number, lower(trim(trimmed.substr(digits)))};
}

}  // namespace

std::string_view trim(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const auto start = text.find_first_not_of(blanks);
    if (start == std::string_view::npos)
        return {};
    return text.substr(start, text.find_last_not_of(blanks) - start + 1);
}

Result<std::uint64_t> parse_uint(std::string_view text) {
    const std::string_view trimmed = trim(text);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), value);
    if (error == std::errc::result_out_of_range)
        return Error(ERANGE, "'" + std::string(text) + "' is too large");
    if (error != std::errc() || end != trimmed.data() + trimmed.size())
        return bad("a whole number", text);
    return value;
}

Result<double> parse_double(std::string_view text) {
    const std::string_view trimmed = trim(text);
    double value = 0;
    const auto [end, error] = std::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), value);
    if (error != std::errc() || end != trimmed.data() + trimmed.size() || !std::isfinite(value))
        return bad("a number", text);
    return value;
}

Result<std::uint64_t> parse_bytes(std::string_view text) {
    constexpr std::string_view what = "a size in bytes (a number with K, M, G or T)";
    auto split = split_unit(text, what);
    if (!split)
        return std::move(split).error();
    std::string unit = split->unit;
    for (const std::string_view tail : {"ib", "b"}) {
        if (unit.ends_with(tail)) {
            unit.resize(unit.size() - tail.size());
            break;
        }
    }
    constexpr std::string_view suffixes = "kmgt";
    double factor = 1;
    if (!unit.empty()) {
        const auto power = suffixes.find(unit[0]);
        if (unit.size() != 1 || power == std::string_view::npos)
            return bad(what, text);
        factor = std::ldexp(1.0, 10 * (static_cast<int>(power) + 1));
    }
    const double bytes = split->number * factor;
    if (bytes >= std::ldexp(1.0, 64))
        return Error(ERANGE, "'" + std::string(text) + "' is too large");
    return static_cast<std::uint64_t>(bytes);
}

Result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
    constexpr std::string_view what = "a time (a number with ms, s, min or h)";
    auto split = split_unit(text, what);
    if (!split)
        return std::move(split).error();
    constexpr std::array<std::pair<std::string_view, double>, 4> units{{{"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"h", 3600e9}}};
    const auto* unit = std::find_if(units.begin(), units.end(), [&](const auto& entry) { return entry.first == split->unit; });
    if (unit == units.end()) {
        if (split->unit.empty() && split->number == 0)
            return std::chrono::nanoseconds(0);
        return bad(what, text);
    }
    const double nanoseconds = split->number * unit->second;
    if (nanoseconds >= 9e18)
        return Error(ERANGE, "'" + std::string(text) + "' is too long");
    return std::chrono::nanoseconds(std::llround(nanoseconds));
}

Result<bool> parse_bool(std::string_view text) {
    const std::string word = lower(trim(text));
    if (word == "yes" || word == "true" || word == "on" || word == "1")
        return true;
    if (word == "no" || word == "false" || word == "off" || word == "0")
        return false;
    return bad("yes or no", text);
}

std::string format_bytes(std::uint64_t bytes) {
    constexpr std::array<std::string_view, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    auto value = static_cast<double>(bytes);
    while (value >= 1000 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    return format_fixed(value, unit >= 3 ? 1 : 0) + " " + std::string(units[unit]);
}

std::string format_fixed(double value, int digits) {
    std::array<char, 400> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, digits);
    return {buffer.data(), result.ptr};
}

}  // namespace tmm
