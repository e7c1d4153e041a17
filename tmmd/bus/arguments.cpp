// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/arguments.hpp"

#include <cerrno>
#include <optional>

#include "base/utf8.hpp"

namespace tmm::bus {

namespace {

constexpr std::size_t max_name_characters = 64;
constexpr std::size_t max_shown_key = 40;

// Keys come from anybody and go into a message.
std::string shown(const std::string& key) {
    return check_name(key) && key.size() <= max_shown_key ? "'" + key + "'" : "a key";
}

template <typename Wire, typename Value>
Result<void> take(const std::string& key, const char* type, const sdbus::Variant& value, std::optional<Value>& target) {
    if (!value.containsValueOfType<Wire>())
        return Error(EINVAL, "SetCaps: '" + key + "' must be of type " + type);
    target = value.get<Wire>();
    return {};
}

Result<void> read_cap(const std::string& key, const sdbus::Variant& value, CapsChange& change) {
    if (key == "max-bytes")
        return take<std::uint64_t>(key, "t", value, change.max_bytes);
    if (key == "only-when-idle")
        return take<bool>(key, "b", value, change.only_when_idle);
    if (key == "only-on-mains")
        return take<bool>(key, "b", value, change.only_on_mains);
    if (key == "quiet-hours") {
        auto taken = take<std::string>(key, "s", value, change.quiet_hours);
        if (taken && change.quiet_hours->size() > std::string_view("HH:MM-HH:MM").size())
            return Error(EINVAL, "SetCaps: 'quiet-hours' must be like 22:00-07:00, or empty");
        return taken;
    }
    if (key == "max-percent") {
        auto taken = take<double>(key, "d", value, change.max_percent);
        if (taken && !(*change.max_percent >= 0 && *change.max_percent <= 100))
            return Error(EINVAL, "SetCaps: 'max-percent' must be from 0 to 100");
        return taken;
    }
    return Error(EINVAL, "SetCaps: " + shown(key) +
                             " is unknown; there are max-bytes, max-percent, only-when-idle, only-on-mains and quiet-hours");
}

}  // namespace

Result<void> check_name(std::string_view name) {
    std::size_t characters = 0;
    while (!name.empty()) {
        const auto character = take_code_point(name);
        if (!character || is_control(*character) || is_invisible(*character))
            return Error(EINVAL, "the name must be UTF-8 without control and invisible characters");
        if (++characters > max_name_characters)
            return Error(EINVAL, "the name must not be longer than 64 characters");
    }
    if (characters == 0)
        return Error(EINVAL, "the name must not be empty");
    return {};
}

Result<CapsChange> read_caps(const std::map<std::string, sdbus::Variant>& caps) {
    CapsChange change;
    for (const auto& [key, value] : caps) {
        const auto read = read_cap(key, value, change);
        if (!read)
            return read.error();
    }
    return change;
}

std::map<std::string, sdbus::Variant> write_caps(const Caps& caps) {
    return {{"max-bytes", sdbus::Variant(caps.max_bytes)},
            {"max-percent", sdbus::Variant(caps.max_percent)},
            {"only-when-idle", sdbus::Variant(caps.only_when_idle)},
            {"only-on-mains", sdbus::Variant(caps.only_on_mains)},
            {"quiet-hours", sdbus::Variant(caps.quiet_hours)}};
}

Result<Resolution> read_resolution(std::string_view text) {
    if (text == "minutes")
        return Resolution::minutes;
    if (text == "hours")
        return Resolution::hours;
    if (text == "days")
        return Resolution::days;
    return Error(EINVAL, "GetHistory: the resolution must be minutes, hours or days");
}

}  // namespace tmm::bus
