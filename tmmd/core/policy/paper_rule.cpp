// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/paper_rule.hpp"

#include <algorithm>

namespace tmm::core {

PaperRule::PaperRule(const PolicyParameters& parameters, Pages bucket_pages, std::size_t nr_buckets)
    : histogram_(parameters.ageing, bucket_pages, nr_buckets) {
    set_parameters(parameters);
}

void PaperRule::set_parameters(const PolicyParameters& parameters) {
    rule_ = parameters.rule;
    min_opaque_ = std::max(parameters.min_opaque, parameters.ageing.noise_depth);
}

AgedHistogram::Outcome PaperRule::end_epoch(const EpochAccesses& epoch, Pages total, bool violated) {
    return histogram_.end_epoch(
        epoch.positions, {.length = epoch.length, .active = epoch.active, .total_pages = total, .goal_violated = violated});
}

// Section 2.4: the misses of this epoch, against those that the goal permits.
bool PaperRule::goal_violated(const EpochAccesses& epoch, Pages total) const {
    if (!histogram_.learned() || epoch.length.count() <= 0)
        return false;
    const BackedHistogram& shares = histogram_.shares();
    const double permitted = rule_.allowed_misses(shares, total) / shares.accesses();
    return epoch.refaults > permitted * epoch.positions.accesses();
}

OpaqueNeed PaperRule::need(Pages total) const {
    const Pages need = rule_.opaque_need(histogram_.shares(), total);
    return {.pages = need, .wanted = need, .min_opaque = part_of(total, min_opaque_), .by_histogram = true};
}

}  // namespace tmm::core
