// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy.hpp"

#include <algorithm>
#include <cmath>

#include "base/units.hpp"

namespace tmm::core {

namespace {

// Resolution of the histograms: positions up to twice the installed memory in steps of 1/1024 of it.
constexpr Pages buckets_per_memory = 1024;
constexpr std::size_t nr_buckets = 2 * buckets_per_memory;

constexpr Pages page_bytes = 4096;  // for messages only

Pages share(double fraction, Pages total) {
    return static_cast<Pages>(std::llround(fraction * static_cast<double>(total)));
}

std::string bytes_of(Pages pages) {
    return format_bytes(pages * page_bytes);
}

std::string reason_for(const Decision& decision, Pages needed, Pages total) {
    if (decision.kind == DecisionKind::learning)
        return "learning what opaque applications use; contributions get only memory that is free";
    std::string reason = "opaque needs " + bytes_of(needed) + " of " + bytes_of(total) + "; " +
                         bytes_of(decision.transparent_limit) + " given; expected misses " +
                         format_fixed(decision.expected_misses_per_s, 1) + "/s";
    if (decision.kind == DecisionKind::corrected)
        reason += "; raised at once, since " + format_fixed(decision.avoidable_misses_per_s, 1) + " misses/s were avoidable";
    else if (decision.ageing == AgedHistogram::Outcome::noise)
        reason += "; nobody used the machine, histogram kept";
    return reason;
}

}  // namespace

Policy::Policy(const PolicyParameters& parameters, Pages installed_pages)
    : parameters_(parameters),
      histogram_(parameters.ageing, std::max<Pages>(installed_pages / buckets_per_memory, 1), nr_buckets) {}

void Policy::set_parameters(const PolicyParameters& parameters) {
    parameters_ = parameters;
    histogram_.set_parameters(parameters.ageing);
}

Decision Policy::step(const EpochSample& sample, const MemoryUsage& usage, TimePoint now) {
    stack_.end_epoch(sample.referenced, sample.gone, histogram_.temporary());
    const double avoidable_misses = add_refaults(sample, usage);

    Decision decision;
    const Seconds length = last_step_ ? Seconds(now - *last_step_) : Seconds(0);
    last_step_ = now;
    bool goal_violated = false;
    if (length.count() > 0) {
        decision.avoidable_misses_per_s = avoidable_misses / length.count();
        const double allowed = parameters_.rule.allowed_misses(rates(), usage.total) - rates().misses(usage.total);
        goal_violated = decision.avoidable_misses_per_s > allowed;
        decision.ageing = histogram_.end_epoch(length, usage.total, goal_violated);
    }

    if (!histogram_.learned()) {
        decision.opaque_limit = usage.total;
        decision.reason = reason_for(decision, usage.total, usage.total);
        return decision;
    }
    decision.kind = goal_violated ? DecisionKind::corrected : DecisionKind::measured;
    promised_ = parameters_.rule.opaque_need(rates(), usage.total);
    decision.opaque_limit = opaque_limit(usage.total);
    decision.transparent_limit = usage.total - decision.opaque_limit;
    decision.expected_misses_per_s = rates().misses(decision.opaque_limit) - rates().misses(usage.total);
    decision.reason = reason_for(decision, decision.opaque_limit, usage.total);
    return decision;
}

double Policy::add_refaults(const EpochSample& sample, const MemoryUsage& usage) {
    double avoidable = 0;
    for (const Refault& refault : sample.refaults) {
        // All resident opaque pages were used after the page left, and so were those evicted since.
        const auto from = static_cast<double>(usage.opaque + refault.distance_from);
        const auto to = static_cast<double>(usage.opaque + refault.distance_to);
        histogram_.temporary().add(from, to, static_cast<double>(refault.pages));
        // Pages less deep than what was promised left for another reason (before the promise, or by reclaim's inexactness): no
        // larger limit would have kept them.
        if (to > static_cast<double>(promised_) && from < static_cast<double>(usage.total))
            avoidable += static_cast<double>(refault.pages);
    }
    return avoidable;
}

Pages Policy::opaque_limit(Pages total) const {
    const Pages with_margin = promised_ + share(parameters_.margin, total);
    return std::clamp(with_margin, share(parameters_.minimum_opaque, total), total);
}

}  // namespace tmm::core
