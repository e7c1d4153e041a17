// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/quiet_hours.hpp"

#include <cerrno>
#include <optional>

#include "base/units.hpp"
#include "tmmd/core/moment.hpp"

namespace tmm::core {

namespace {

// Parses two digits of a number below bound.
std::optional<unsigned> two_digits(std::string_view text, unsigned bound) {
    const auto number = parse_uint(text);
    if (text.size() != 2 || text != trim(text) || !number || *number >= bound)
        return std::nullopt;
    return static_cast<unsigned>(*number);
}

std::optional<unsigned> parse_time(std::string_view text) {
    if (text.size() != 5 || text[2] != ':')
        return std::nullopt;
    const auto hours = two_digits(text.substr(0, 2), 24);
    const auto minutes = two_digits(text.substr(3), 60);
    if (!hours || !minutes)
        return std::nullopt;
    return *hours * 60 + *minutes;
}

std::string format_time(unsigned minute) {
    const auto digits = [](unsigned number) { return (number < 10 ? "0" : "") + std::to_string(number); };
    return digits(minute / 60) + ":" + digits(minute % 60);
}

}  // namespace

bool QuietHours::contains(unsigned local_minute) const {
    if (from < to)
        return from <= local_minute && local_minute < to;
    return from <= local_minute || local_minute < to;
}

Result<QuietHours> parse_quiet_hours(std::string_view text) {
    const std::string_view trimmed = trim(text);
    const auto dash = trimmed.find('-');
    const auto from = parse_time(trimmed.substr(0, dash));
    const auto to = dash == std::string_view::npos ? std::nullopt : parse_time(trimmed.substr(dash + 1));
    if (!from || !to)
        return Error(EINVAL, "'" + std::string(text) + "' is no part of a day; write it like 22:00-07:00");
    if (*from == *to)
        return Error(EINVAL, "'" + std::string(text) + "' begins when it ends: to give nothing at all, turn it off");
    return QuietHours{*from, *to};
}

std::string format_quiet_hours(const QuietHours& hours) {
    return format_time(hours.from) + "-" + format_time(hours.to);
}

}  // namespace tmm::core
