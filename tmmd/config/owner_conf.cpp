// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/config/owner_conf.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <limits>
#include <map>
#include <utility>

#include "base/units.hpp"

namespace tmm::config {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::string_view none = "none";
// Sums with this time must not overflow.
constexpr auto latest_us = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / 4);

// Parses "none", or a value with parse.
template <typename Target, typename Parse>
Result<void> store_optional(const IniEntry& entry, std::optional<Target>& target, Parse parse) {
    if (entry.value == none) {
        target.reset();
        return {};
    }
    auto parsed = parse(entry.value);
    if (!parsed)
        return std::move(parsed).error().with_context(entry.where());
    target = Target(*parsed);
    return {};
}

template <typename Target, typename Parse>
Result<void> store(const IniEntry& entry, Target& target, Parse parse) {
    std::optional<Target> value;
    auto stored = store_optional(entry, value, parse);
    if (!stored)
        return stored;
    if (!value)
        return Error(EINVAL, entry.where() + ": 'none' is not possible");
    target = *value;
    return {};
}

Result<double> parse_percent(std::string_view text) {
    auto percent = parse_double(text);
    if (percent && (*percent < 0 || *percent > 100))
        return Error(EINVAL, "'" + std::string(text) + "' is not in the range 0 to 100, or none");
    return percent;
}

Result<core::WallTime> parse_wall_time(std::string_view text) {
    const auto us = parse_uint(text);
    if (!us)
        return us.error();
    if (*us > latest_us)
        return Error(ERANGE, "'" + std::string(text) + "' is too late");
    return core::WallTime(microseconds(*us));
}

Error no_such_key(const IniEntry& entry) {
    return {EINVAL, entry.where() + ": no such key in [" + entry.section + "]"};
}

// Such as "1000:200 1001:50".
Result<std::map<uid_t, std::uint32_t>> parse_weights(std::string_view text) {
    core::SoftShares shares;
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(one.size() + 1, text.size()));
        const std::size_t colon = std::min(one.find(':'), one.size());
        const auto user = parse_uint(one.substr(0, colon));
        const auto weight = parse_uint(one.substr(std::min(colon + 1, one.size())));
        if (!user || !weight || *user > std::numeric_limits<uid_t>::max() || *weight == 0 || *weight > core::max_soft_weight)
            return Error(EINVAL, "'" + std::string(one) + "' is no USER:WEIGHT with a weight from 1 to 10000");
        if (!core::weigh(shares, static_cast<uid_t>(*user), static_cast<std::uint32_t>(*weight)))
            return Error(EINVAL, "more than " + std::to_string(core::max_weighed_users) + " users");
    }
    return std::move(shares.weights);
}

Result<void> set_soft(const IniEntry& entry, core::SoftShares& soft) {
    if (entry.key == "MaxBytes")
        return store_optional(entry, soft.max_bytes, parse_bytes);
    if (entry.key == "Weights")
        return store(entry, soft.weights, parse_weights);
    return no_such_key(entry);
}

Result<void> set_setting(const IniEntry& entry, core::Settings& settings) {
    if (entry.section == "Caps")
        return set_cap(entry, settings.caps);
    if (entry.section == "Soft")
        return set_soft(entry, settings.soft);
    if (entry.section != "Settings")
        return Error(EINVAL, entry.where() + ": no such section [" + entry.section + "]");
    if (entry.key == "On")
        return store(entry, settings.on, parse_bool);
    if (entry.key == "Paused")
        return store(entry, settings.paused, parse_bool);
    if (entry.key == "PausedUntil")
        return store_optional(entry, settings.paused_until, parse_wall_time);
    if (entry.key == "PauseAsked")
        return store(entry, settings.pause_asked, parse_duration);
    return no_such_key(entry);
}

std::string yes_or_no(bool value) {
    return value ? "yes" : "no";
}

// Returns the shortest text that reads back as the same number.
std::string format_exactly(double value) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return {digits.data(), end.ptr};
}

std::string format_caps(const core::Caps& caps) {
    const std::string empty(none);
    return "MaxBytes=" + (caps.max_bytes ? std::to_string(caps.max_bytes->count()) : empty) +
           "\nMaxPercent=" + (caps.max_percent ? format_exactly(*caps.max_percent) : empty) +
           "\nOnlyWhenIdle=" + yes_or_no(caps.only_when_idle) + "\nOnlyOnMains=" + yes_or_no(caps.only_on_mains) +
           "\nQuietHours=" + (caps.quiet_hours ? core::format_quiet_hours(*caps.quiet_hours) : empty) + "\n";
}

std::string format_soft(const core::SoftShares& soft) {
    std::string weights;
    for (const auto& [user, weight] : soft.weights)
        weights += (weights.empty() ? "" : " ") + std::to_string(user) + ":" + std::to_string(weight);
    return "MaxBytes=" + (soft.max_bytes ? std::to_string(soft.max_bytes->count()) : std::string(none)) + "\nWeights=" + weights +
           "\n";
}

}  // namespace

Result<void> set_cap(const IniEntry& entry, core::Caps& caps) {
    if (entry.key == "MaxBytes")
        return store_optional(entry, caps.max_bytes, parse_bytes);
    if (entry.key == "MaxPercent")
        return store_optional(entry, caps.max_percent, parse_percent);
    if (entry.key == "OnlyWhenIdle")
        return store(entry, caps.only_when_idle, parse_bool);
    if (entry.key == "OnlyOnMains")
        return store(entry, caps.only_on_mains, parse_bool);
    if (entry.key == "QuietHours")
        return store_optional(entry, caps.quiet_hours, core::parse_quiet_hours);
    return no_such_key(entry);
}

std::string format_settings(const core::Settings& settings) {
    std::string until(none);
    if (settings.paused_until)
        until = std::to_string(std::max<std::int64_t>(settings.paused_until->time_since_epoch().count(), 0));
    const auto asked = std::chrono::duration_cast<milliseconds>(settings.pause_asked);
    return "# Settings of this machine's owner. tmmd(8) rewrites this file at each command.\n"
           "# PausedUntil: microseconds since 1970.\n\n"
           "[Settings]\nOn=" +
           yes_or_no(settings.on) + "\nPaused=" + yes_or_no(settings.paused) + "\nPausedUntil=" + until +
           "\nPauseAsked=" + std::to_string(asked.count()) + "ms\n\n[Caps]\n" + format_caps(settings.caps) + "\n[Soft]\n" +
           format_soft(settings.soft);
}

Result<core::Settings> parse_settings(std::string_view text, const std::string& file_name) {
    auto entries = parse_ini(text, file_name);
    if (!entries)
        return std::move(entries).error();
    core::Settings settings;
    for (const IniEntry& entry : *entries) {
        auto set = set_setting(entry, settings);
        if (!set)
            return std::move(set).error();
    }
    return settings;
}

core::Settings cautious_settings() {
    core::Settings settings;
    settings.paused = true;
    return settings;
}

}  // namespace tmm::config
