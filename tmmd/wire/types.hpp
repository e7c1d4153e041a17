// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The values that the bus carries, as dbus/*.xml defines them: the one definition for tmmd, which sends them, and for tmmctl,
// which reads them (members.hpp has their names). Amounts are in bytes, points in time in microseconds of CLOCK_REALTIME, shares
// from 0 to 1. Plain values: this header knows no bus.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tmm::wire {

inline constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
inline constexpr double unknown_share = std::numeric_limits<double>::quiet_NaN();
inline constexpr double all_percent = 100;
inline constexpr std::uint64_t until_resumed = no_limit;  // of Status::paused_until_us

// The values of a dictionary whose keys depend on another member.
using Value = std::variant<std::uint64_t, double, bool, std::string>;
using Values = std::map<std::string, Value>;

// Words of ReasonCode that the daemon itself adds to those of core::ReasonCode.
namespace reason {
inline constexpr const char* trouble = "trouble";
inline constexpr const char* no_kernel = "no-kernel";
}  // namespace reason

// Keys of dictionaries.
namespace key {
// ReasonValues; quiet_hours, too
inline constexpr const char* total_bytes = "total-bytes";
inline constexpr const char* need_bytes = "need-bytes";
inline constexpr const char* opaque_limit_bytes = "opaque-limit-bytes";
inline constexpr const char* allowed_bytes = "allowed-bytes";
inline constexpr const char* cap_bytes = "cap-bytes";
inline constexpr const char* expected_misses_per_second = "expected-misses-per-second";
inline constexpr const char* histogram_kept = "histogram-kept";
inline constexpr const char* by_administrator = "by-administrator";
inline constexpr const char* idle_after_seconds = "idle-after-seconds";
inline constexpr const char* stall = "stall";
inline constexpr const char* swap_bytes = "swap-bytes";
inline constexpr const char* lack_bytes = "lack-bytes";
// Caps and SetCaps()
inline constexpr const char* max_bytes = "max-bytes";
inline constexpr const char* max_percent = "max-percent";
inline constexpr const char* only_when_idle = "only-when-idle";
inline constexpr const char* only_on_mains = "only-on-mains";
inline constexpr const char* quiet_hours = "quiet-hours";
// GetDetails()
inline constexpr const char* name = "name";
inline constexpr const char* pids = "pids";
inline constexpr const char* pids_truncated = "pids-truncated";
}  // namespace key

// Property Caps. The defaults set no condition.
struct Caps {
    std::uint64_t max_bytes = no_limit;
    double max_percent = all_percent;  // of Status::total_bytes
    bool only_when_idle = false;
    bool only_on_mains = false;
    std::string quiet_hours;  // "HH:MM-HH:MM", or empty

    bool operator==(const Caps&) const = default;
};

// The argument of SetCaps(): new values for those caps that are present; the others stay.
struct CapsChange {
    std::optional<std::uint64_t> max_bytes;
    std::optional<double> max_percent;  // [0, 100]
    std::optional<bool> only_when_idle;
    std::optional<bool> only_on_mains;
    std::optional<std::string> quiet_hours;

    bool operator==(const CapsChange&) const = default;
};

// The properties of the daemon. A reader must expect words in state that it does not know.
struct Status {
    std::string version;
    std::string state;        // giving, waiting, paused, off or trouble
    std::string reason;       // a sentence in English
    std::string reason_code;  // its word; a reader must expect others, too
    Values reason_values;
    std::uint64_t paused_until_us = 0;  // 0: not paused; or until_resumed
    std::uint64_t total_bytes = 0;
    std::uint64_t opaque_bytes = 0;
    std::uint64_t transparent_bytes = 0;
    std::uint64_t free_bytes = 0;
    std::uint64_t soft_bytes = 0;  // of opaque_bytes
    std::uint64_t opaque_limit_bytes = no_limit;
    std::uint64_t transparent_limit_bytes = no_limit;
    double expected_slowdown = unknown_share;
    double measured_stall = unknown_share;
    std::uint64_t last_return_faults = 0;
    bool owner_decided = false;
    Caps caps;
    std::string source;  // tmm, idle, mglru, footprint or none
    std::string source_reason;
    double given_byte_seconds = 0;
};

// A row of ListContributions().
struct Contribution {
    std::string object;
    std::string name;  // empty: the caller may not know it
    std::uint32_t user = 0;
    std::uint64_t memory_bytes = 0;
    std::string state;  // running, paused or stopping
    std::uint32_t weight = 0;
    std::uint64_t far_bytes = 0;  // beside memory_bytes
};

// A row of GetSoftHeaps().
struct SoftHeap {
    std::uint32_t process = 0;
    std::uint32_t user = 0;
    std::uint64_t granted_bytes = 0;
    std::uint64_t used_bytes = 0;
    std::uint64_t footprint_bytes = 0;
    double rebuilding = 0;  // seconds for each second of other work
    double gain = 0;        // of that, with 100 MiB more
    double hits = 0;        // of all uses of late
    double predicted = 0;   // the same by the curve that the division follows
};

// A row of GetSoftShares().
struct SoftWeight {
    std::uint32_t user = 0;
    std::uint32_t weight = 0;

    bool operator==(const SoftWeight&) const = default;
};

// The answer of GetSoftShares().
struct SoftShares {
    std::uint64_t max_bytes = no_limit;
    std::vector<SoftWeight> weights;

    bool operator==(const SoftShares&) const = default;
};

// A row of GetHistory(): means over its time.
struct HistoryRow {
    std::uint64_t start_us = 0;
    std::uint64_t measured_s = 0;
    std::uint64_t opaque_bytes = 0;
    std::uint64_t transparent_bytes = 0;
    std::uint64_t free_bytes = 0;
    std::uint64_t opaque_limit_bytes = 0;
    std::uint64_t transparent_limit_bytes = 0;
    double stall = unknown_share;
    std::uint64_t return_faults = 0;
};

// A row of GetDecisions() and ListDecisions().
struct Decision {
    std::uint64_t first_us = 0;
    std::uint64_t last_us = 0;
    std::uint32_t times = 0;  // in a row
    std::string kind;
    std::string reason;
    // Of ListDecisions() only.
    std::string reason_code;
    Values reason_values;
};

}  // namespace tmm::wire
