// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SoftDivision: divides soft memory among the heaps of all programs. First among users, by weight, so that nobody gets more by
// starting more programs; what a user cannot use goes to the others. Then among the heaps of each user, so that the sum of their
// utilities is the largest: by dynamic programming over whole steps, since curves have cliffs on which hill climbing stops
// (Midas, NSDI'24, 4.3.2). Pure. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "tmmd/core/soft/soft_heap.hpp"

namespace tmm::core {

struct SoftGrant {
    std::uint64_t heap = 0;
    Bytes bytes{0};

    bool operator==(const SoftGrant&) const = default;
};

class SoftDivision {
public:
    // Of a user's share. A finer one takes longer by the square.
    static constexpr std::size_t steps = 256;
    // A division that gains less of the sum of utilities is not worth moving memory for.
    static constexpr double worth_moving = 0.002;

    // Costs of rebuilding are averaged over so many reports: single ones say little.
    static constexpr double averaged_reports = 6;

    // As SoftShares::weights.
    void set_user_weights(std::map<uid_t, std::uint32_t> weights) { user_weights_ = std::move(weights); }

    // Returns a grant for each heap, in their order; together at most total. The grants of the last call stay if they still fit
    // and others are not worth moving for.
    std::vector<SoftGrant> divide(Bytes total, std::vector<SoftHeap> heaps);

private:
    [[nodiscard]] std::map<uid_t, Bytes> share_among_users(Bytes total, const std::vector<SoftHeap>& heaps) const;
    [[nodiscard]] double weight_of(uid_t user) const;
    void average_costs(std::vector<SoftHeap>& heaps);
    void divide_share(Bytes share, const std::vector<const SoftHeap*>& heaps);
    void divide_by_utility(Bytes share, const std::vector<const SoftHeap*>& heaps);

    std::map<uid_t, std::uint32_t> user_weights_;
    // By heap.
    std::map<std::uint64_t, Bytes> granted_;
    std::map<std::uint64_t, double> rebuild_s_;
};

}  // namespace tmm::core
