// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/arguments.hpp"

#include <cerrno>
#include <optional>

#include "base/text/utf8.hpp"
#include "tmmd/core/giving/quiet_hours.hpp"

namespace tmm::bus {

namespace {

// Anybody may send a key, and it goes into a message.
std::string shown(const std::string& key) {
    return check_name(key) && key.size() <= max_cap_key ? "'" + key + "'" : "a key";
}

std::string about(const std::string& key) {
    return "SetCaps: '" + key + "'";
}

template <typename Value>
Result<Value> take(const std::string& key, const char* type, const CapValue& value) {
    const Value* taken = std::get_if<Value>(&value);
    if (!taken)
        return Error(EINVAL, about(key) + " must be of type " + type);
    return *taken;
}

Result<std::optional<Bytes>> read_max_bytes(const CapValue& value) {
    const auto bytes = take<std::uint64_t>(wire::key::max_bytes, "t", value);
    if (!bytes)
        return bytes.error();
    return *bytes == wire::no_limit ? std::nullopt : std::optional(Bytes(*bytes));
}

Result<std::optional<double>> read_max_percent(const CapValue& value) {
    const auto percent = take<double>(wire::key::max_percent, "d", value);
    if (!percent)
        return percent.error();
    // In this form NaN is out of range, too.
    if (!(*percent >= 0 && *percent <= wire::all_percent))
        return Error(EINVAL, about(wire::key::max_percent) + " must be from 0 to 100");
    return *percent == wire::all_percent ? std::nullopt : std::optional(*percent);
}

Result<std::optional<core::QuietHours>> read_quiet_hours(const CapValue& value) {
    const auto text = take<std::string>(wire::key::quiet_hours, "s", value);
    if (!text)
        return text.error();
    // The message of parse_quiet_hours() repeats the text, so the text must be short.
    if (text->size() > max_cap_text)
        return Error(EINVAL, about(wire::key::quiet_hours) + " must be like 22:00-07:00, or empty");
    if (text->empty())
        return std::optional<core::QuietHours>();
    auto hours = core::parse_quiet_hours(*text);
    if (!hours)
        return std::move(hours).error().with_context(about(wire::key::quiet_hours));
    return std::optional(*hours);
}

template <typename Value>
Result<void> assign(const std::string& key, Result<Value> read, std::optional<Value>& target) {
    if (target)
        return Error(EINVAL, about(key) + " is there twice");
    if (!read)
        return std::move(read).error();
    target = *std::move(read);
    return {};
}

Result<void> read_cap(const std::string& key, const CapValue& value, core::CapsChange& change) {
    if (key == wire::key::max_bytes)
        return assign(key, read_max_bytes(value), change.max_bytes);
    if (key == wire::key::max_percent)
        return assign(key, read_max_percent(value), change.max_percent);
    if (key == wire::key::only_when_idle)
        return assign(key, take<bool>(key, "b", value), change.only_when_idle);
    if (key == wire::key::only_on_mains)
        return assign(key, take<bool>(key, "b", value), change.only_on_mains);
    if (key == wire::key::quiet_hours)
        return assign(key, read_quiet_hours(value), change.quiet_hours);
    return Error(EINVAL, "SetCaps: " + shown(key) + " is unknown; there are " + wire::key::max_bytes + ", " +
                             wire::key::max_percent + ", " + wire::key::only_when_idle + ", " + wire::key::only_on_mains +
                             " and " + wire::key::quiet_hours);
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

bool CapsReader::add(const std::string& key, const CapValue& value) {
    if (error_)
        return false;
    const auto read = read_cap(key, value, change_);
    if (!read)
        error_ = read.error();
    return read.has_value();
}

Result<core::CapsChange> CapsReader::change() const {
    if (error_)
        return *error_;
    return change_;
}

std::map<std::string, sdbus::Variant> write_caps(const wire::Caps& caps) {
    return {{wire::key::max_bytes, sdbus::Variant(caps.max_bytes)},
            {wire::key::max_percent, sdbus::Variant(caps.max_percent)},
            {wire::key::only_when_idle, sdbus::Variant(caps.only_when_idle)},
            {wire::key::only_on_mains, sdbus::Variant(caps.only_on_mains)},
            {wire::key::quiet_hours, sdbus::Variant(caps.quiet_hours)}};
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
