// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "latency_log.hpp"

#include <algorithm>

#include "base/units.hpp"

namespace tmm::desk {

std::optional<std::string> LatencyLog::add(std::chrono::nanoseconds end, std::chrono::nanoseconds latency) {
    std::optional<std::string> row;
    const std::int64_t second = std::chrono::floor<std::chrono::seconds>(end).count();
    if (second != second_)
        row = finish();
    second_ = second;
    if (interactions_ == 0)
        first_end_ = end;
    ++interactions_;
    sum_ += latency;
    max_ = std::max(max_, latency);
    return row;
}

std::optional<std::string> LatencyLog::finish() {
    if (interactions_ == 0)
        return std::nullopt;
    const double sum_ms = std::chrono::duration<double, std::milli>(sum_).count();
    const double max_ms = std::chrono::duration<double, std::milli>(max_).count();
    std::string row = std::to_string(second_) + ',' + std::to_string(interactions_) + ',' +
                      format_fixed(sum_ms / static_cast<double>(interactions_), 3) + ',' + format_fixed(max_ms, 3) + ',' +
                      format_fixed(std::chrono::duration<double>(first_end_).count(), 3) + '\n';
    interactions_ = 0;
    sum_ = max_ = std::chrono::nanoseconds(0);
    return row;
}

}  // namespace tmm::desk
