// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What tmmd tells over the bus, in the units of dbus/*.xml: bytes, microseconds of CLOCK_REALTIME, shares of 1. tmmctl knows the
// daemon by that interface only.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace tmm::ctl {

inline constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// The defaults are: no condition at all.
struct Caps {
    std::uint64_t max_bytes = no_limit;
    double max_percent = 100;  // of all memory
    bool only_when_idle = false;
    bool only_on_mains = false;
    std::string quiet_hours;  // "HH:MM-HH:MM", or empty
};

// Only what is there is changed.
struct CapsChange {
    std::optional<std::uint64_t> max_bytes;
    std::optional<double> max_percent;
    std::optional<bool> only_when_idle;
    std::optional<bool> only_on_mains;
    std::optional<std::string> quiet_hours;
    bool operator==(const CapsChange&) const = default;
};

struct Status {
    std::string version;
    std::string state;  // giving, waiting, paused, off, trouble, or a word of a later tmmd
    std::string reason;
    std::uint64_t paused_until_us = 0;  // 0: not paused; no_limit: until it is resumed
    std::uint64_t total_bytes = 0;
    std::uint64_t opaque_bytes = 0;
    std::uint64_t transparent_bytes = 0;
    std::uint64_t soft_bytes = 0;
    std::uint64_t free_bytes = 0;
    std::uint64_t opaque_limit_bytes = no_limit;
    std::uint64_t transparent_limit_bytes = no_limit;
    double expected_slowdown = unknown;
    double measured_stall = unknown;
    std::uint64_t last_return_faults = 0;
    Caps caps;
    std::string source;
    std::string source_reason;
    double given_byte_seconds = 0;
};

struct Contribution {
    std::string object;
    std::string name;  // empty: not to be known by this user
    std::uint32_t user = 0;
    std::uint64_t memory_bytes = 0;
    std::string state;  // running, paused, stopping
    std::uint32_t weight = 0;
};

struct HistoryRow {
    std::uint64_t start_us = 0;
    std::uint64_t measured_s = 0;
    std::uint64_t opaque_bytes = 0;
    std::uint64_t transparent_bytes = 0;
    std::uint64_t soft_bytes = 0;
    std::uint64_t free_bytes = 0;
    std::uint64_t opaque_limit_bytes = 0;
    std::uint64_t transparent_limit_bytes = 0;
    double stall = unknown;
    std::uint64_t return_faults = 0;
};

struct Decision {
    std::uint64_t first_us = 0;
    std::uint64_t last_us = 0;
    std::uint32_t times = 0;
    std::string kind;
    std::string reason;
};

}  // namespace tmm::ctl
