// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/store/shares.hpp"

#include <algorithm>
#include <numeric>

namespace tmm::caches {
namespace {

std::uint64_t sum_of_weights(const std::vector<Tenant>& tenants, const std::vector<std::size_t>& of) {
    return std::accumulate(of.begin(), of.end(), std::uint64_t{0},
                           [&](std::uint64_t sum, std::size_t i) { return sum + std::max(tenants[i].weight, 1U); });
}

}  // namespace

std::vector<std::size_t> divide(const std::vector<Tenant>& tenants, std::size_t all_bytes, std::size_t grain_bytes) {
    std::vector<std::size_t> limits(tenants.size());
    std::vector<std::size_t> hungry(tenants.size());
    std::iota(hungry.begin(), hungry.end(), std::size_t{0});
    const auto wanted = [&](std::size_t i) { return (tenants[i].wanted_bytes + grain_bytes - 1) / grain_bytes; };
    const auto weight = [&](std::size_t i) { return std::uint64_t{std::max(tenants[i].weight, 1U)}; };
    std::size_t left = all_bytes / grain_bytes;
    // Those that want the least for their weight are served first; then the others' parts only grow.
    std::stable_sort(hungry.begin(), hungry.end(), [&](std::size_t one, std::size_t other) {
        return static_cast<double>(wanted(one)) / static_cast<double>(weight(one)) <
               static_cast<double>(wanted(other)) / static_cast<double>(weight(other));
    });
    std::uint64_t weights = sum_of_weights(tenants, hungry);
    for (const std::size_t i : hungry) {
        const auto part =
            static_cast<std::size_t>(static_cast<double>(left) * static_cast<double>(weight(i)) / static_cast<double>(weights));
        limits[i] = std::min(wanted(i), part);
        left -= limits[i];
        weights -= weight(i);
    }
    // Slack to anyone, by weight.
    weights = sum_of_weights(tenants, hungry);
    const std::size_t slack = left;
    for (const std::size_t i : hungry) {
        const auto part =
            static_cast<std::size_t>(static_cast<double>(slack) * static_cast<double>(weight(i)) / static_cast<double>(weights));
        limits[i] = (limits[i] + part) * grain_bytes;
    }
    return limits;
}

double fairness(std::size_t its_bytes, std::size_t all_bytes, std::uint32_t its_weight, std::uint64_t all_weights) {
    if (all_bytes == 0 || its_weight == 0 || all_weights == 0) {
        return 0;
    }
    return static_cast<double>(its_bytes) / static_cast<double>(all_bytes) * static_cast<double>(all_weights) /
           static_cast<double>(its_weight);
}

}  // namespace tmm::caches
