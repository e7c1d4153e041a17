// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// UsageHistory: records the memory that was used and given, in rows of equal length at three resolutions. It also sums all that
// was ever given. Rows start at whole multiples of their length in UTC. Times that the daemon did not observe (it was down, the
// machine slept) have no row. Memory is bounded: the oldest rows are dropped. If the wall clock is set back, rows with earlier
// starts follow later ones: rows keep the order of observation. Pure; not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "tmmd/core/moment.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// The use of memory at one time, in bytes.
struct Usage {
    double opaque = 0;
    double transparent = 0;
    double free = 0;
    double opaque_limit = 0;
    double transparent_limit = 0;
};

struct UsageRow {
    WallTime start{};
    Seconds observed{0};  // the observed part of the row's length, above 0
    Usage mean;           // over the observed time
    // Share of the observed time in which opaque tasks waited for memory; NaN: not known.
    double stall = std::numeric_limits<double>::quiet_NaN();
    std::uint64_t faults_after_returns = 0;  // major faults of opaque tasks in the first minute after a break
};

enum class Resolution : std::uint8_t { minutes, hours, days };
inline constexpr std::size_t nr_resolutions = 3;

struct ResolutionShape {
    std::string_view name;
    std::chrono::seconds row_length;
    std::size_t max_rows;
};
// Two hours, two days, 31 days.
inline constexpr std::array<ResolutionShape, nr_resolutions> resolution_shapes{{
    {"minutes", std::chrono::minutes(1), 120},
    {"hours", std::chrono::minutes(15), 192},
    {"days", std::chrono::hours(3), 248},
}};

class UsageHistory {
public:
    // A longer span counts as not observed.
    static constexpr Seconds max_span{300};

    // Adds an observation for the time of this length that ends at end. A length of 0 or above max_span adds nothing. stall:
    // share of the time, in [0, 1]; NaN: not known.
    void add(const Usage& usage, double stall, std::uint64_t faults_after_returns, Seconds length, WallTime end);

    // Returns the rows, the oldest first. The last one may not be over yet.
    [[nodiscard]] std::vector<UsageRow> rows(Resolution resolution) const;

    // Returns the transparent memory times the time of its use, since the history began. Never falls.
    [[nodiscard]] double given_byte_seconds() const { return given_byte_seconds_; }

    // Convert the history to text and back. Error of restore: EINVAL with the line; then nothing is changed.
    [[nodiscard]] std::string save_state() const;
    Result<void> restore_state(std::string_view text);

private:
    // Sums over the observed time, so that rows can grow.
    struct Sums {
        WallTime start{};
        double observed_s = 0;
        double stall_observed_s = 0;
        double stall_s = 0;
        std::array<double, 5> byte_seconds{};  // in the order of Usage
        double faults_after_returns = 0;
    };
    using Level = std::deque<Sums>;

    static Sums& row_at(Level& level, const ResolutionShape& shape, WallTime time);
    static Result<void> restore_line(std::string_view line, std::array<Level, nr_resolutions>& levels, double& given);

    std::array<Level, nr_resolutions> levels_;
    double given_byte_seconds_ = 0;
};

}  // namespace tmm::core
