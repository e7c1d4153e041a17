// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "pattern.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <functional>
#include <map>

#include "base/units.hpp"
#include "store.hpp"

namespace tmm::days {

namespace {

constexpr std::array<std::string_view, days_per_week> day_names{"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
constexpr double max_seconds = 366.0 * seconds_per_day;

// Nothing if all is well, else the reason.
using Problem = std::optional<std::string>;

Error bad(const IniEntry& entry, const std::string& reason) {
    return {EINVAL, entry.where() + ": " + reason};
}

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> found;
    for (text = trim(text); !text.empty(); text = trim(text)) {
        const auto end = std::min(text.find_first_of(" \t"), text.size());
        found.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return found;
}

Problem set_number(std::string_view text, double min, double max, double& number) {
    const auto parsed = parse_double(text);
    if (!parsed || *parsed < min || *parsed > max)
        return "'" + std::string(text) + "' is no number from " + format_fixed(min, 2) + " to " + format_fixed(max, 2);
    number = *parsed;
    return {};
}

Problem set_seconds(std::string_view text, double min, double& seconds) {
    const auto parsed = parse_duration(text);
    const double value = parsed ? std::chrono::duration<double>(*parsed).count() : -1;
    if (!parsed || value < min || value > max_seconds)
        return "'" + std::string(text) + "' is no time like '90 s', '10 min' or '2 h' that is long enough";
    seconds = value;
    return {};
}

Problem set_seconds(std::string_view text, double min, std::optional<double>& seconds) {
    double value = 0;
    Problem problem = set_seconds(text, min, value);
    if (!problem)
        seconds = value;
    return problem;
}

Problem set_bool(std::string_view text, bool& value) {
    const auto parsed = parse_bool(text);
    if (!parsed)
        return "'" + std::string(text) + "' is neither yes nor no";
    value = *parsed;
    return {};
}

// "300 MB", "25%" or both with a plus between.
Problem set_size(std::string_view text, MemorySet& set) {
    set.bytes = set.share_of_memory = 0;
    for (std::string_view rest = text; !rest.empty();) {
        const auto plus = std::min(rest.find('+'), rest.size());
        const std::string_view term = trim(rest.substr(0, plus));
        rest.remove_prefix(std::min(plus + 1, rest.size()));
        if (!term.empty() && term.back() == '%') {
            const auto percent = parse_double(trim(term.substr(0, term.size() - 1)));
            if (!percent || *percent < 0 || *percent > 1000)
                return "'" + std::string(term) + "' is no share like 25%";
            set.share_of_memory += *percent / 100;
        } else {
            const auto bytes = parse_bytes(term);
            if (!bytes)
                return "'" + std::string(term) + "' is no size like '300 MB'";
            set.bytes += static_cast<double>(*bytes);
        }
    }
    if (set.bytes + set.share_of_memory <= 0)
        return "a set must have a size above 0";
    return {};
}

// "HH:MM" as seconds of the day, up to 24:00.
std::optional<std::uint32_t> clock_of(std::string_view text) {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos)
        return {};
    const auto hours = parse_uint(text.substr(0, colon));
    const auto minutes = parse_uint(text.substr(colon + 1));
    if (!hours || !minutes || *minutes > 59 || *hours * 60 + *minutes > std::uint64_t{24} * 60)
        return {};
    return static_cast<std::uint32_t>((*hours * 60 + *minutes) * 60);
}

Problem set_when(std::string_view text, Use& use) {
    static const std::map<std::string_view, When> names{{"always", When::always},
                                                        {"attended", When::attended},
                                                        {"unattended", When::unattended},
                                                        {"morning", When::morning},
                                                        {"return", When::back}};
    if (const auto found = names.find(text); found != names.end()) {
        use.when = found->second;
        return {};
    }
    const auto clock = clock_of(text);
    if (!clock)
        return "'" + std::string(text) + "' is none of always, attended, unattended, morning, return and HH:MM";
    use.when = When::clock;
    use.clock = *clock;
    return {};
}

Problem set_order(std::string_view text, Order& order) {
    static const std::map<std::string_view, Order> names{{"loop", Order::loop}, {"random", Order::random}, {"zipf", Order::zipf}};
    const auto found = names.find(text);
    if (found == names.end())
        return "'" + std::string(text) + "' is none of loop, random and zipf";
    order = found->second;
    return {};
}

std::optional<std::size_t> day_of(std::string_view name) {
    const auto* const found = std::find(day_names.begin(), day_names.end(), name);
    if (found == day_names.end())
        return {};
    return static_cast<std::size_t>(found - day_names.begin());
}

// "mon wed", "mon-fri", "sat".
Problem set_days(std::string_view text, std::array<bool, days_per_week>& days) {
    days.fill(false);
    for (const std::string_view word : words(text)) {
        const auto dash = word.find('-');
        const auto from = day_of(word.substr(0, dash));
        const auto to = dash == std::string_view::npos ? from : day_of(word.substr(dash + 1));
        if (!from || !to || *from > *to)
            return "'" + std::string(word) + "' is no day or range like mon or mon-fri";
        std::fill(days.begin() + static_cast<std::ptrdiff_t>(*from), days.begin() + static_cast<std::ptrdiff_t>(*to) + 1, true);
    }
    if (std::find(days.begin(), days.end(), true) == days.end())
        return "no day";
    return {};
}

Problem set_keep(std::string_view text, Use& use) {
    const auto parsed = parse_uint(text);
    if (!parsed || *parsed < 1 || *parsed > 10'000)
        return "'" + std::string(text) + "' is no number from 1 to 10000";
    use.keep = *parsed;
    return {};
}

Problem set_of_set(const IniEntry& entry, MemorySet& set) {
    if (entry.key == "Size")
        return set_size(entry.value, set);
    if (entry.key == "Vary")
        return set_number(entry.value, 0, 0.9, set.vary);
    if (entry.key == "Cgroup") {
        set.cgroup = entry.value;
        return entry.value.empty() ? Problem("no name") : Problem{};
    }
    if (entry.key == "Backing") {
        set.file = entry.value == "file";
        return set.file || entry.value == "anonymous" ? Problem{} : "'" + entry.value + "' is neither anonymous nor file";
    }
    return "a [Set] has no such key";
}

Problem set_of_use(const IniEntry& entry, Use& use) {
    using Setter = std::function<Problem(std::string_view, Use&)>;
    static const std::map<std::string_view, Setter> setters{
        {"Order", [](auto text, Use& u) { return set_order(text, u.order); }},
        {"Round", [](auto text, Use& u) { return set_seconds(text, 0.1, u.round); }},
        {"Fill", [](auto text, Use& u) { return set_seconds(text, 1, u.fill); }},
        {"Rounds",
         [](auto text, Use& u) {
             double number = 0;
             Problem problem = set_number(text, 0.001, 1e6, number);
             u.rounds = number;
             return problem;
         }},
        {"For", [](auto text, Use& u) { return set_seconds(text, 1, u.duration); }},
        {"When", [](auto text, Use& u) { return set_when(text, u); }},
        {"Every", [](auto text, Use& u) { return set_seconds(text, 1, u.every); }},
        {"First", [](auto text, Use& u) { return set_seconds(text, 0, u.first); }},
        {"Jitter", [](auto text, Use& u) { return set_seconds(text, 0, u.jitter); }},
        {"Days", [](auto text, Use& u) { return set_days(text, u.days); }},
        {"Chance", [](auto text, Use& u) { return set_number(text, 0, 1, u.chance); }},
        {"New", [](auto text, Use& u) { return set_bool(text, u.fresh); }},
        {"Revisit", [](auto text, Use& u) { return set_number(text, 0, 1, u.revisit); }},
        {"Keep", [](auto text, Use& u) { return set_keep(text, u); }},
        {"Free", [](auto text, Use& u) { return set_bool(text, u.frees); }},
        {"Waits", [](auto text, Use& u) { return set_bool(text, u.waits); }},
        {"Cpu", [](auto text, Use& u) { return set_number(text, 0, 1024, u.cpu); }},
    };
    const auto found = setters.find(entry.key);
    return found == setters.end() ? Problem("a [Use] has no such key") : found->second(entry.value, use);
}

// The element of this name, which the first key of its section makes.
template <typename T>
T& named(std::vector<T>& all, std::string_view name) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const T& one) { return one.name == name; });
    if (found != all.end())
        return *found;
    all.emplace_back();
    all.back().name = name;
    return all.back();
}

std::optional<std::size_t> index_of(const std::vector<MemorySet>& sets, std::string_view name) {
    for (std::size_t index = 0; index < sets.size(); ++index) {
        if (sets[index].name == name)
            return index;
    }
    return {};
}

Result<std::vector<Presence>> parse_presence(const IniEntry& entry) {
    std::vector<Presence> presence;
    for (const std::string_view word : words(entry.value)) {
        const auto dash = word.find('-');
        const auto from = clock_of(word.substr(0, dash));
        const auto to = dash == std::string_view::npos ? std::nullopt : clock_of(word.substr(dash + 1));
        if (!from || !to || *from >= *to || (!presence.empty() && *from <= presence.back().to))
            return bad(entry, "'" + std::string(word) + "' is no time like 09:00-12:30 after those before it");
        presence.push_back({*from, *to});
    }
    return presence;
}

Problem set_of_owner(const IniEntry& entry, Owner& owner) {
    if (entry.key == "Description")
        return {};
    if (entry.key == "Length")
        return set_seconds(entry.value, 60, owner.length);
    if (entry.key == "PresenceJitter")
        return set_seconds(entry.value, 0, owner.presence_jitter);
    if (entry.key == "BreakEvery")
        return set_seconds(entry.value, 60, owner.break_every);
    if (entry.key == "BreakFor")
        return set_seconds(entry.value, 1, owner.break_for);
    if (entry.key == "RecordedUnit") {
        const auto bytes = parse_bytes(entry.value);
        if (!bytes || *bytes < page_bytes || *bytes % page_bytes != 0)
            return "this is no multiple of 4 KiB like 64K";
        owner.recorded_unit_bytes = *bytes;
        return {};
    }
    return "an [Owner] has no such key";
}

}  // namespace

Result<Pattern> parse_pattern(std::string_view text, const std::string& name, const std::string& file) {
    const auto entries = parse_ini(text, file);
    if (!entries)
        return entries.error();
    Pattern pattern{.name = name, .sets = {}, .uses = {}};
    std::map<std::string, std::pair<std::string, const IniEntry*>> set_of;  // by use
    for (const IniEntry& entry : *entries) {
        Problem problem;
        if (entry.section == "Pattern") {
            if (entry.key != "Description")
                problem = "a [Pattern] has no such key";
        } else if (entry.section.starts_with("Set ")) {
            problem = set_of_set(entry, named(pattern.sets, entry.section.substr(4)));
        } else if (entry.section.starts_with("Use ")) {
            Use& use = named(pattern.uses, entry.section.substr(4));
            if (entry.key == "Set")
                set_of[use.name] = {entry.value, &entry};
            else
                problem = set_of_use(entry, use);
        } else {
            problem = "[" + entry.section + "] is none of [Pattern], [Set NAME] and [Use NAME]";
        }
        if (problem)
            return bad(entry, *problem);
    }
    for (const MemorySet& set : pattern.sets) {
        if (set.bytes + set.share_of_memory <= 0)
            return Error(EINVAL, file + ": [Set " + set.name + "] has no Size");
    }
    if (pattern.uses.empty())
        return Error(EINVAL, file + ": there is no [Use NAME]");
    for (Use& use : pattern.uses) {
        const auto given = set_of.find(use.name);
        const auto index = index_of(pattern.sets, given == set_of.end() ? use.name : given->second.first);
        if (!index && given != set_of.end())
            return bad(*given->second.second, "there is no [Set " + given->second.first + "]");
        if (!index)
            return Error(EINVAL, file + ": [Use " + use.name + "] has no Set, and there is no [Set " + use.name + "]");
        if (use.rounds && use.duration)
            return Error(EINVAL, file + ": [Use " + use.name + "] has both For and Rounds");
        use.set = *index;
    }
    return pattern;
}

Result<Owner> parse_owner(std::string_view text, const std::string& name, const std::string& file) {
    const auto entries = parse_ini(text, file);
    if (!entries)
        return entries.error();
    Owner owner;
    owner.name = name;
    for (const IniEntry& entry : *entries) {
        Problem problem;
        if (entry.section == "Owner") {
            problem = set_of_owner(entry, owner);
        } else if (entry.section == "Presence") {
            std::array<bool, days_per_week> days{};
            problem = set_days(entry.key, days);
            auto presence = parse_presence(entry);
            if (!presence)
                return presence.error();
            for (std::size_t day = 0; day < days_per_week; ++day) {
                if (days[day])
                    owner.presence[day] = *presence;
            }
        } else if (entry.section == "Patterns") {
            Part part{.pattern = entry.key, .scale = 1, .where = entry.where()};
            problem = set_number(entry.value, 0.001, 1000, part.scale);
            owner.parts.push_back(part);
        } else {
            problem = "[" + entry.section + "] is none of [Owner], [Presence] and [Patterns]";
        }
        if (problem)
            return bad(entry, *problem);
    }
    if (owner.parts.empty() == (owner.recorded_unit_bytes == 0))
        return Error(EINVAL, file + ": an owner has either [Patterns] or, for a recording, RecordedUnit");
    return owner;
}

}  // namespace tmm::days
