// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random: numbers that are the same with every standard library. A copy goes on on its own. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string_view>

namespace tmm::days {

class Random {
public:
    // The same seed, name and detail give the same numbers.
    Random(std::uint64_t seed, std::string_view name, std::string_view detail) {
        std::uint64_t hash = 14695981039346656037U ^ seed;  // FNV-1a
        for (const std::string_view text : {name, std::string_view("/"), detail}) {
            for (const char letter : text)
                hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211U;
        }
        engine_.seed(hash);
    }
    // In [0, 1).
    double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    // In [-1, 1).
    double around() { return 2 * uniform() - 1; }
    // In [0, n). n: at least 1.
    std::uint32_t below(std::uint32_t n) { return std::min(static_cast<std::uint32_t>(uniform() * n), n - 1); }

private:
    std::mt19937_64 engine_;
};

}  // namespace tmm::days
