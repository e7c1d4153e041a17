// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Latencies of interactions, summed up per second of the machine's monotonic clock, with the end of the second's first one on
// that clock. Pure: whoever calls writes the rows.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace tmm::coffee {

class LatencyLog {
public:
    static constexpr const char* header = "t_s,interactions,mean_ms,max_ms,first_end_s\n";

    // An interaction that ended at `end`; gives the row of an earlier second when that is complete. Ends must not fall.
    std::optional<std::string> add(std::chrono::nanoseconds end, std::chrono::nanoseconds latency);

    // The row of the second begun, if anything is in it.
    std::optional<std::string> finish();

private:
    std::int64_t second_ = 0;
    std::chrono::nanoseconds first_end_{0};
    std::uint64_t interactions_ = 0;
    std::chrono::nanoseconds sum_{0};
    std::chrono::nanoseconds max_{0};
};

}  // namespace tmm::coffee
