// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random: SplitMix64 (Steele, Lea, Flood, OOPSLA'14), the same numbers on every machine.
#pragma once

#include <cstdint>

namespace tmm::far {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    std::uint64_t below(std::uint64_t limit) { return next() % limit; }
    double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // 0 to 1, without 1

private:
    std::uint64_t state_;
};

}  // namespace tmm::far
