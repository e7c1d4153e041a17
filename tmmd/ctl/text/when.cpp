// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/text/when.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <optional>

#include "base/tomorrow.hpp"
#include "base/units.hpp"

namespace tmm::ctl {

namespace {

constexpr std::chrono::seconds max_pause(31'536'000);  // of dbus/*.xml

Error no_span(std::string_view text) {
    return {EINVAL, "'" + std::string(text) + "' is no time: write numbers with s, min, h or d, such as 30min or 1h30min"};
}

std::tm local(std::time_t time) {
    std::tm parts{};
    ::localtime_r(&time, &parts);
    return parts;
}

std::string formatted(const char* format, std::time_t time) {
    const std::tm parts = local(time);
    std::array<char, 64> buffer{};
    return {buffer.data(), std::strftime(buffer.data(), buffer.size(), format, &parts)};
}

std::time_t seconds_of(std::uint64_t time_us) {
    return static_cast<std::time_t>(time_us / 1'000'000);
}

struct ClockTime {
    int hour = 0;
    int minute = 0;
    bool operator==(const ClockTime&) const = default;
};

std::optional<int> two_digits(std::string_view text, int max) {
    if (text.size() != 2 || std::isdigit(static_cast<unsigned char>(text[0])) == 0 ||
        std::isdigit(static_cast<unsigned char>(text[1])) == 0)
        return {};
    const int number = (text[0] - '0') * 10 + (text[1] - '0');
    return number <= max ? std::optional(number) : std::nullopt;
}

std::optional<ClockTime> parse_clock(std::string_view text) {
    if (text.size() == 4)  // "7:00"
        return parse_clock("0" + std::string(text));
    if (text.size() != 5 || text[2] != ':')
        return {};
    const auto hour = two_digits(text.substr(0, 2), 23);
    const auto minute = two_digits(text.substr(3), 59);
    if (!hour || !minute)
        return {};
    return ClockTime{*hour, *minute};
}

// Returns the time at which the clock shows this, so many days after now. mktime(3) knows daylight saving time.
std::time_t on_day(std::time_t now, int days, ClockTime clock) {
    std::tm parts = local(now);
    parts.tm_mday += days;
    parts.tm_hour = clock.hour;
    parts.tm_min = clock.minute;
    parts.tm_sec = 0;
    parts.tm_isdst = -1;
    return std::mktime(&parts);
}

Result<std::chrono::seconds> until(std::string_view text, std::time_t now) {
    if (text == "tomorrow")
        return std::chrono::seconds(on_day(now, local(now).tm_hour < day_begins_hour ? 0 : 1, {work_begins_hour, 0}) - now);
    const auto clock = parse_clock(text);
    if (!clock)
        return Error(EINVAL, "'" + std::string(text) + "' is no time of day: write HH:MM, such as 07:00, or tomorrow");
    std::time_t end = on_day(now, 0, *clock);
    if (end <= now)
        end = on_day(now, 1, *clock);
    return std::chrono::seconds(end - now);
}

}  // namespace

Result<std::chrono::seconds> parse_span(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, double>, 8> units{
        {{"s", 1}, {"sec", 1}, {"m", 60}, {"min", 60}, {"h", 3600}, {"hour", 3600}, {"hours", 3600}, {"d", 86400}}};
    const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
    double seconds = 0;
    std::string_view rest = trim(text);
    if (rest.empty())
        return no_span(text);
    while (!rest.empty()) {
        const auto letters = static_cast<std::size_t>(std::find_if(rest.begin(), rest.end(), is_letter) - rest.begin());
        const auto number = parse_double(rest.substr(0, letters));
        rest.remove_prefix(letters);
        const auto end = static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), is_letter) - rest.begin());
        const auto* const unit =
            std::find_if(units.begin(), units.end(), [&](const auto& u) { return u.first == rest.substr(0, end); });
        if (!number || *number < 0 || unit == units.end())
            return no_span(text);
        seconds += *number * unit->second;
        rest = trim(rest.substr(end));
    }
    if (seconds < 1 || seconds > static_cast<double>(max_pause.count()))
        return Error(ERANGE, "'" + std::string(text) + "' is not between a second and a year");
    return std::chrono::seconds(static_cast<std::int64_t>(seconds));
}

Result<std::chrono::seconds> parse_pause(const std::vector<std::string>& words, std::time_t now) {
    if (words.empty())
        return std::chrono::seconds(0);
    if (words[0] == "until") {
        if (words.size() != 2)
            return Error(EINVAL, "'until' needs one time of day, such as 'until 07:00', or 'until tomorrow'");
        return until(words[1], now);
    }
    if (words.size() == 1 && words[0] == "tomorrow")
        return until(words[0], now);
    std::string text;
    for (const std::string& word : words)
        text += word + " ";
    return parse_span(trim(text));
}

Result<void> check_quiet_hours(std::string_view text) {
    const auto start = parse_clock(text.substr(0, std::min<std::size_t>(text.size(), 5)));
    const auto end = text.size() == 11 && text[5] == '-' ? parse_clock(text.substr(6)) : std::nullopt;
    if (!start || !end)
        return Error(EINVAL, "'" + std::string(text) + "' are no quiet hours: write HH:MM-HH:MM, such as 22:00-07:00, or none");
    if (*start == *end)
        return Error(EINVAL, "'" + std::string(text) + "' end when they begin: for all day, use 'tmmctl off'");
    return {};
}

std::string format_span(std::chrono::seconds span) {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> units{{{"d", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}}};
    std::int64_t left = std::max<std::int64_t>(span.count(), 0);
    std::string text;
    int shown = 0;
    for (const auto& [unit, length] : units) {
        const std::int64_t number = left / length;
        left %= length;
        if (shown > 0)
            ++shown;
        if (number > 0 && shown <= 2) {
            text += (text.empty() ? "" : " ") + std::to_string(number) + " " + std::string(unit);
            shown = std::max(shown, 1);
        }
    }
    return text.empty() ? "0 s" : text;
}

std::string format_clock(std::uint64_t time_us) {
    return formatted("%H:%M:%S", seconds_of(time_us));
}

std::string format_date(std::uint64_t time_us) {
    return formatted("%Y-%m-%d %H:%M", seconds_of(time_us));
}

std::string format_near(std::uint64_t time_us, std::time_t now) {
    const std::tm then = local(seconds_of(time_us));
    const std::tm today = local(now);
    const bool same_day = then.tm_year == today.tm_year && then.tm_yday == today.tm_yday;
    return formatted(same_day ? "%H:%M" : "%Y-%m-%d %H:%M", seconds_of(time_us));
}

}  // namespace tmm::ctl
