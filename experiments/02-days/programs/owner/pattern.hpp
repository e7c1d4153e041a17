// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Patterns of memory use and the owners that are mixtures of them, as read from INI files. README.md describes every key. Plain
// values and pure parsers; errors are EINVAL with "FILE:LINE: Key: reason".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/text/ini.hpp"

namespace tmm::days {

inline constexpr std::uint32_t seconds_per_day = 24 * 3600;
inline constexpr std::size_t days_per_week = 7;

// A time in whole seconds; one before the begin is the begin.
inline std::uint32_t as_second(double seconds) {
    return seconds > 0 ? static_cast<std::uint32_t>(seconds) : 0;
}

// Memory that a pattern uses: bytes plus a share of the machine's memory.
struct MemorySet {
    std::string name;
    double bytes = 0;
    double share_of_memory = 0;
    double vary = 0;  // an instance is larger or smaller by up to this share, by seed
    bool file = false;
    std::string cgroup;  // sets of a pattern with the same name share a cgroup
};

enum class Order : std::uint8_t { loop, random, zipf };
enum class When : std::uint8_t { always, attended, unattended, clock, morning, back };

// How and when a set is used. All times in seconds.
struct Use {
    std::string name;
    std::size_t set = 0;  // index into Pattern::sets
    Order order = Order::loop;
    double round = 60;  // so many touches as the set has units take so long
    double fill = 0;    // an instance is first touched once from its begin to its end in this time
    std::optional<double> rounds;
    std::optional<double> duration;
    When when = When::attended;
    double clock = 0;  // of the day
    std::optional<double> every;
    std::optional<double> first;
    double jitter = 0;
    std::array<bool, days_per_week> days{true, true, true, true, true, true, true};
    double chance = 1;
    bool fresh = false;    // each time in new memory
    double revisit = 0;    // chance that a fresh use goes back to an older instance instead
    std::size_t keep = 0;  // at most so many instances, the oldest is freed; 0: no bound
    bool frees = false;    // the instance is freed at the end
    bool waits = true;     // the owner waits for its misses, if present
    double cpu = 0.2;      // processors that it takes while it runs
};

struct Pattern {
    std::string name;
    std::vector<MemorySet> sets;
    std::vector<Use> uses;
};

// Seconds of a day.
struct Presence {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
};

// A pattern in an owner's life; sizes are multiplied by scale.
struct Part {
    std::string pattern;
    double scale = 1;
    std::string where;  // "FILE:LINE: Key: "
};

struct Owner {
    std::string name;
    double length = days_per_week * seconds_per_day;
    double presence_jitter = 0;
    std::optional<double> break_every;
    double break_for = 600;
    std::array<std::vector<Presence>, days_per_week> presence;
    std::vector<Part> parts;                // none: the days are those of a recording
    std::uint64_t recorded_unit_bytes = 0;  // of a recording: the memory of a unit
};

// name: of the pattern or owner. file: for messages.
Result<Pattern> parse_pattern(std::string_view text, const std::string& name, const std::string& file);
Result<Owner> parse_owner(std::string_view text, const std::string& name, const std::string& file);

}  // namespace tmm::days
