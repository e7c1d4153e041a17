// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Latencies: a histogram of times with buckets that grow by a quarter of a power of two. Pure; called from one thread.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>

namespace tmm::far {

class Latencies {
public:
    void add(std::chrono::nanoseconds time) {
        const auto ns = static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 4));
        const int power = std::bit_width(ns) - 1;
        const std::size_t bucket = static_cast<std::size_t>(power) * 4 + ((ns >> (power - 2)) & 3);
        ++counts_[std::min(bucket, counts_.size() - 1)];
        ++count_;
    }
    [[nodiscard]] std::uint64_t count() const { return count_; }

    // Returns a time that at least that share of all did not exceed, at most a quarter too long; 0 without any.
    [[nodiscard]] std::chrono::nanoseconds percentile(double share) const {
        std::uint64_t below = 0;
        for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
            below += counts_[bucket];
            if (count_ > 0 && static_cast<double>(below) >= share * static_cast<double>(count_))
                return std::chrono::nanoseconds((std::uint64_t{5} + bucket % 4) << (bucket / 4) >> 2);
        }
        return {};
    }

private:
    std::array<std::uint64_t, 160> counts_{};  // up to 2^40 ns
    std::uint64_t count_ = 0;
};

}  // namespace tmm::far
