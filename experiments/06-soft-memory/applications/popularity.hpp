// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Popularity: draws items by a power law. Another phase makes other items popular. Pure. Not thread-safe.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace tmm::soft_memory {

class Popularity {
public:
    Popularity(std::uint32_t items, double skew, std::uint64_t seed) : random_(seed) {
        double sum = 0;
        for (std::uint32_t rank = 0; rank < items; ++rank)
            cumulated_.push_back(sum += std::pow(rank + 1, -skew));
    }
    std::uint32_t draw(std::uint32_t phase) {
        const double at = std::uniform_real_distribution<double>(0, cumulated_.back())(random_);
        const auto rank = std::lower_bound(cumulated_.begin(), cumulated_.end() - 1, at) - cumulated_.begin();
        const std::uint64_t items = cumulated_.size();
        // Neighbours in rank are none in number. A prime, so each rank has another item.
        return static_cast<std::uint32_t>((static_cast<std::uint64_t>(rank) * 1'000'003 + phase * (items / 2)) % items);
    }

private:
    std::vector<double> cumulated_;
    std::mt19937_64 random_;
};

}  // namespace tmm::soft_memory
