// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/views/status.hpp"

#include <pwd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/text/utf8.hpp"
#include "base/units.hpp"
#include "tmmd/ctl/text/when.hpp"

namespace tmm::ctl {

namespace {

// Adds a line "Name:   value", with the values below each other.
void add_line(std::string& text, std::string_view name, std::string_view value) {
    constexpr std::size_t width = 20;
    text += std::string(name) + std::string(width - name.size(), ' ') + printable(value) + "\n";
}

std::string format_with_far(const wire::Contribution& contribution) {
    const std::string far = contribution.far_bytes == 0 ? "" : " + " + format_bytes(contribution.far_bytes) + " far";
    return format_bytes(contribution.memory_bytes) + far;
}

std::string format_memory(const wire::Status& status, const Screen& screen) {
    Table table({{"MEMORY"}, {"USED", Table::Kind::number}, {"LIMIT", Table::Kind::number}});
    table.add({"opaque (#)", format_bytes(status.opaque_bytes), format_limit(status.opaque_limit_bytes)});
    if (status.soft_bytes > 0)
        table.add({"  of it soft", format_bytes(status.soft_bytes)});
    table.add({"given (+)", format_bytes(status.transparent_bytes), format_limit(status.transparent_limit_bytes)});
    table.add({"free (.)", format_bytes(status.free_bytes)});
    table.add({"all", format_bytes(status.total_bytes)});
    return table.format(screen);
}

std::string values_json(const wire::Values& values) {
    JsonObject object;
    for (const auto& [name, value] : values) {
        std::string key = name;
        std::replace(key.begin(), key.end(), '-', '_');
        if (const auto* count = std::get_if<std::uint64_t>(&value))
            object.count(key, *count);
        else if (const auto* number = std::get_if<double>(&value))
            object.number(key, *number);
        else if (const auto* flag = std::get_if<bool>(&value))
            object.flag(key, *flag);
        else
            object.text(key, std::get<std::string>(value));
    }
    return object.str();
}

}  // namespace

int exit_of_state(const std::string& state) {
    constexpr std::array<std::pair<std::string_view, int>, 5> codes{
        {{"giving", 0}, {"waiting", 10}, {"paused", 11}, {"off", 12}, {"trouble", 13}}};
    for (const auto& [word, code] : codes) {
        if (state == word)
            return code;
    }
    return 14;
}

std::string format_gib_hours(double byte_seconds) {
    constexpr double seconds_in_hour = 3600;
    return format_fixed(byte_seconds / seconds_in_hour / (1024.0 * 1024 * 1024), 1) + " GiB hours";
}

std::string state_sentence(const wire::Status& status, std::time_t now) {
    if (status.paused_until_us == 0 || status.state != "paused")
        return status.state;
    if (status.paused_until_us == wire::until_resumed)
        return "paused until 'tmmctl resume'";
    const auto left = std::chrono::seconds(static_cast<std::int64_t>(status.paused_until_us / 1'000'000) - now);
    return "paused until " + format_near(status.paused_until_us, now) + " (" + format_span(left) + " more)";
}

std::string format_summary(const wire::Status& status, std::time_t now, const Screen& screen) {
    std::string text = coloured(screen, colour_of_state(status.state), printable(state_sentence(status, now)));
    text += ": " + printable(status.reason) + "\n";
    return text +
           bar(screen,
               {{status.opaque_bytes, '#', Colour::blue},
                {status.transparent_bytes, '+', Colour::green},
                {status.free_bytes, '.', Colour::plain}},
               status.total_bytes) +
           "\n";
}

std::string format_status(const wire::Status& status, const std::vector<wire::Contribution>& contributions, std::time_t now,
                          const Screen& screen, const std::vector<BoincTask>& tasks) {
    std::string text = format_summary(status, now, screen) + "\n" + format_memory(status, screen) + "\n";
    add_line(text, "Expected slowdown:", format_share(status.expected_slowdown));
    add_line(text, "Waited for memory:",
             format_share(status.measured_stall) + (std::isnan(status.measured_stall) ? "" : " of the last minute"));
    if (status.last_return_faults > 0)
        add_line(text,
                 "After last return:", std::to_string(status.last_return_faults) + " faults of opaque programs in a minute");
    add_line(text, "Given so far:", format_gib_hours(status.given_byte_seconds));
    add_line(text, "Conditions:", caps_sentence(status.caps));
    add_line(text, "Samples from:", status.source + (status.source_reason.empty() ? "" : " (" + status.source_reason + ")"));
    text += "\n";
    return text + (contributions.empty() ? "No contribution is running.\n" : format_contributions(contributions, screen, tasks));
}

std::string format_contributions(const std::vector<wire::Contribution>& contributions, const Screen& screen,
                                 const std::vector<BoincTask>& tasks) {
    Table table({{"CONTRIBUTION", Table::Kind::shrinks},
                 {"USER", Table::Kind::shrinks},
                 {"MEMORY", Table::Kind::number},
                 {"STATE"},
                 {"WEIGHT", Table::Kind::number}});
    for (const wire::Contribution& contribution : contributions) {
        table.add({contribution.name.empty() ? "-" : contribution.name, user_name(contribution.user),
                   format_with_far(contribution), contribution.state, std::to_string(contribution.weight)});
        if (is_boinc(contribution))
            add_contributed(table, contribution, tasks);
    }
    return table.format(screen);
}

std::string caps_sentence(const wire::Caps& caps) {
    std::string text;
    const auto add = [&](const std::string& condition) { text += (text.empty() ? "" : "; ") + condition; };
    if (caps.max_bytes != wire::no_limit)
        add("at most " + format_bytes(caps.max_bytes));
    if (caps.max_percent < wire::all_percent)
        add("at most " + format_fixed(caps.max_percent, 1) + " % of all memory");
    if (caps.only_when_idle)
        add("only while the owner is away");
    if (caps.only_on_mains)
        add("only on mains power");
    if (!caps.quiet_hours.empty())
        add("nothing during " + caps.quiet_hours);
    return text.empty() ? "none" : text;
}

std::string format_caps(const wire::Caps& caps) {
    std::string text;
    add_line(text, "At most:", format_limit(caps.max_bytes));
    add_line(text, "At most, of all:", caps.max_percent < wire::all_percent ? format_fixed(caps.max_percent, 1) + " %" : "none");
    add_line(text, "Only when idle:", caps.only_when_idle ? "yes" : "no");
    add_line(text, "Only on mains:", caps.only_on_mains ? "yes" : "no");
    add_line(text, "Quiet hours:", caps.quiet_hours.empty() ? "none" : caps.quiet_hours);
    return text;
}

std::string format_limit(std::uint64_t bytes) {
    return bytes == wire::no_limit ? "none" : format_bytes(bytes);
}

std::string format_share(double share) {
    return std::isfinite(share) ? format_fixed(100 * share, 2) + " %" : "not known";
}

void add_reason(JsonObject& object, const wire::Status& status) {
    object.text("reason", status.reason).text("reason_code", status.reason_code);
    object.add("reason_values", values_json(status.reason_values));
}

void add_limit(JsonObject& object, std::string_view key, std::uint64_t bytes) {
    bytes == wire::no_limit ? object.null(key) : object.count(key, bytes);
}

std::string caps_json(const wire::Caps& caps) {
    JsonObject object;
    add_limit(object, "max_bytes", caps.max_bytes);
    object.number("max_percent", caps.max_percent);
    object.flag("only_when_idle", caps.only_when_idle).flag("only_on_mains", caps.only_on_mains);
    caps.quiet_hours.empty() ? object.null("quiet_hours") : object.text("quiet_hours", caps.quiet_hours);
    return object.str();
}

JsonObject status_json(const wire::Status& status) {
    JsonObject object;
    add_reason(object.text("state", status.state), status);
    // null both for no pause and for one without an end: "state" tells them apart.
    const bool has_end = status.paused_until_us != 0 && status.paused_until_us != wire::until_resumed;
    add_limit(object, "paused_until_unix_us", has_end ? status.paused_until_us : wire::no_limit);
    object.count("total_bytes", status.total_bytes).count("opaque_bytes", status.opaque_bytes);
    object.count("transparent_bytes", status.transparent_bytes).count("free_bytes", status.free_bytes);
    object.count("soft_bytes", status.soft_bytes);
    add_limit(object, "opaque_limit_bytes", status.opaque_limit_bytes);
    add_limit(object, "transparent_limit_bytes", status.transparent_limit_bytes);
    object.number("expected_slowdown_share", status.expected_slowdown).number("measured_stall_share", status.measured_stall);
    object.count("last_return_faults", status.last_return_faults).number("given_byte_seconds", status.given_byte_seconds);
    object.add("caps", caps_json(status.caps)).text("source", status.source).text("source_reason", status.source_reason);
    return object.text("daemon_version", status.version);
}

std::string contribution_json(const wire::Contribution& contribution) {
    JsonObject object;
    object.text("object", contribution.object);
    contribution.name.empty() ? object.null("name") : object.text("name", contribution.name);
    object.count("user_id", contribution.user).text("user", user_name(contribution.user));
    object.count("memory_bytes", contribution.memory_bytes)
        .count("far_bytes", contribution.far_bytes)
        .text("state", contribution.state);
    return object.count("weight", contribution.weight).str();
}

std::string contributions_json(const std::vector<wire::Contribution>& contributions) {
    std::vector<std::string> objects;
    objects.reserve(contributions.size());
    for (const wire::Contribution& contribution : contributions)
        objects.push_back(contribution_json(contribution));
    return json_array(objects);
}

std::string user_name(std::uint32_t user) {
    const passwd* entry = ::getpwuid(user);
    return entry != nullptr ? entry->pw_name : std::to_string(user);
}

}  // namespace tmm::ctl
