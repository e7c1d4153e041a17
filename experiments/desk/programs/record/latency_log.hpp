// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Latencies of interactions, summed up per second of the machine's monotonic clock, with the end of the second's first
// interaction on that clock. Pure: the caller writes the rows.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace tmm::desk {

class LatencyLog {
public:
    static constexpr const char* header = "t_s,interactions,mean_ms,max_ms,first_end_s\n";

    // Adds an interaction that ended at `end`; returns the row of an earlier second once it is complete. Ends must not fall.
    std::optional<std::string> add(std::chrono::nanoseconds end, std::chrono::nanoseconds latency);

    // The row of the current second, if it has an interaction.
    std::optional<std::string> finish();

private:
    std::int64_t second_ = 0;
    std::chrono::nanoseconds first_end_{0};
    std::uint64_t interactions_ = 0;
    std::chrono::nanoseconds sum_{0};
    std::chrono::nanoseconds max_{0};
};

}  // namespace tmm::desk
