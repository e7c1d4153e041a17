// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Divides a cache's memory among tenants by their weights (Mortar, Hwang et al., VEE 2014, section 5.2). A tenant's fairness is
// f = (c / P) / (w / sum of w), with its memory c, all memory P and its weight w. Those that want more have the same f; a tenant
// that wants less leaves the rest to the others. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tmm::caches {

struct Tenant {
    /// Above 0.
    std::uint32_t weight = 1;
    /// Memory that it would fill, in bytes: what it has, and more if it evicts.
    std::size_t wanted_bytes = 0;
};

/// Returns the limit of each tenant, in bytes; together `all_bytes`, less what rounding to `grain_bytes` leaves. No tenant's
/// limit is above what it wants before all have that; then the rest is divided by weight, so that each may grow. Limits are
/// multiples of `grain_bytes`, which is above 0.
std::vector<std::size_t> divide(const std::vector<Tenant>& tenants, std::size_t all_bytes, std::size_t grain_bytes);

/// A tenant's fairness; above 1: it has more than its share. 0 without memory or weights.
double fairness(std::size_t its_bytes, std::size_t all_bytes, std::uint32_t its_weight, std::uint64_t all_weights);

}  // namespace tmm::caches
