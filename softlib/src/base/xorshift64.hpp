// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

namespace soft::detail {

/// A random generator with the same numbers on every machine (xorshift64*, Vigna 2016): losses in a test must be repeatable.
class Xorshift64 {
public:
    constexpr explicit Xorshift64(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U | 1U) {}

    bool chance(double probability) { return static_cast<double>(next() >> 11) * 0x1p-53 < probability; }
    /// Returns a number in [0, limit); `limit` is at most 2^31.
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(((next() >> 33) * limit) >> 31); }

private:
    std::uint64_t next() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 0x2545f4914f6cdd1dU;
    }

    std::uint64_t state_;
};

}  // namespace soft::detail
