// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/keep_rule.hpp"

#include <cmath>

#include "tmmd/core/policy/miss_latency.hpp"

namespace tmm::core {

namespace {

// The cost of a miss grows with its latency to this power. With 1, fast stores would give up so much that an owner who returns
// waits for many pages at once; experiments/02-days compares.
constexpr double latency_power = 0.25;

}  // namespace

KeptPages KeepRule::opaque_need(const PageAges& ages, const ReuseTable& table, const ByBacking& latency) const {
    ReuseTable::ByKind value = table.worth(ages.present());
    for (std::size_t kind = 0; kind < nr_page_kinds; ++kind) {
        const double cost =
            std::pow(latency[backing_of(static_cast<PageKind>(kind))] / LatencyEstimate::unmeasured.count(), latency_power);
        for (double& of_age : value[kind])
            of_age = cost * of_age - 1 / break_even.count();
    }
    return ages.best_to_keep(value);
}

}  // namespace tmm::core
