// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/policy.hpp"

#include <algorithm>
#include <cmath>

namespace tmm::core {

namespace {

// Resolution of the histograms: positions up to twice the installed memory in steps of 1/1024 of it.
constexpr std::size_t buckets_per_memory = 1024;
constexpr std::size_t nr_buckets = 2 * buckets_per_memory;

// A longer epoch was interrupted and counts as this long: EpochPace plans none.
constexpr Seconds max_epoch{300};

// The part of the idle time before a return that may hold noise. With all of a long epoch, noise could exceed the first second of
// a return, and the return would count as a false alarm.
constexpr Seconds noise_before_return{120};

Pages bucket_pages_for(Pages installed_pages) {
    return std::max(installed_pages / buckets_per_memory, Pages(1));
}

// 30 years. No counter of tmmd has seen more.
constexpr Seconds max_sensible{1e9};

bool is_sensible(Seconds time) {
    return time >= Seconds(0) && time <= max_sensible;  // false for no number
}

bool is_sensible(const EpochSample& sample) {
    return is_sensible(sample.idle_before) && is_sensible(sample.attended) && is_sensible(sample.active) &&
           is_sensible(sample.left.value_or(Seconds(0))) && !std::isnan(sample.anonymous_refaults);
}

// A counter without sense counts as none. What was learned would never get rid of it.
EpochSample sensible(EpochSample sample) {
    for (Seconds* time : {&sample.idle_before, &sample.attended, &sample.active}) {
        if (!is_sensible(*time))
            *time = Seconds(0);
    }
    if (sample.left && !is_sensible(*sample.left))
        sample.left.reset();
    if (std::isnan(sample.anonymous_refaults))
        sample.anonymous_refaults = 1;
    return sample;
}

Reason reason_for(const Decision& decision, const OpaqueNeed& need, Pages total) {
    Reason reason;
    reason.code = decision.kind == DecisionKind::corrected ? ReasonCode::corrected : ReasonCode::measured;
    reason.total = total;
    reason.need = need.pages;
    reason.opaque_limit = decision.opaque_limit;
    reason.allowed = decision.transparent_limit;
    reason.expected_misses_per_s = decision.expected_misses_per_s;
    reason.histogram_kept = need.by_histogram && decision.ageing == AgedHistogram::Outcome::noise;
    return reason;
}

}  // namespace

Policy::Policy(const PolicyParameters& parameters, Pages installed_pages)
    : objective_(parameters.objective),
      noise_(parameters.ageing),
      epoch_{.positions = BackedHistogram(bucket_pages_for(installed_pages), nr_buckets)},
      paper_(parameters, bucket_pages_for(installed_pages), nr_buckets),
      reuse_(parameters) {}

void Policy::set_parameters(const PolicyParameters& parameters) {
    objective_ = parameters.objective;
    noise_ = parameters.ageing;
    paper_.set_parameters(parameters);
    reuse_.set_parameters(parameters);
}

const NeedRule& Policy::rule() const {
    if (objective_ == Objective::paper)
        return paper_;
    return reuse_;
}

Decision Policy::step(const EpochSample& sample, const MemoryUsage& usage, AwakeTime now) {
    if (!is_sensible(sample))
        return step(sensible(sample), usage, now);
    // If the clock went back, no time has passed.
    const Seconds elapsed = last_step_ ? std::max(Seconds(now - *last_step_), Seconds(0)) : Seconds(0);
    const Seconds length = std::min(elapsed, max_epoch);
    last_step_ = now;
    epoch_.length += length;
    epoch_.active += sample.active;
    epoch_.attended |= sample.attended.count() > 0;
    latency_.add(sample.reads);
    follow_memory_size(usage.total);

    Decision decision;
    const double refaults = add_refaults(sample, usage);
    if (length.count() > 0)
        decision.refaults_per_s = refaults / length.count();
    reuse_.pass(sample, length, stack_);
    if (sample.scanned)
        end_epoch(sample, usage.total, decision);
    reuse_.follow_growth(sample, usage, latency_.usual());
    set_limits(usage.total, decision);
    gives_ = decision.transparent_limit > Pages(0);
    return decision;
}

// Follows memory that is plugged in or removed: positions must reach beyond all of memory, in steps that are small beside it.
void Policy::follow_memory_size(Pages total) {
    const Pages now = epoch_.positions.of(Backing::anonymous).bucket_pages();
    const Pages wanted = bucket_pages_for(total);
    if (total == Pages(0) || (wanted < 2 * now && now < 8 * wanted))
        return;
    paper_.rebucket(wanted, nr_buckets);
    epoch_.positions = epoch_.positions.rebucketed(wanted, nr_buckets);
}

// Adds the refaults to the accesses of the epoch. Returns their number.
double Policy::add_refaults(const EpochSample& sample, const MemoryUsage& usage) {
    double refaults = 0;
    for (const Refault& refault : sample.refaults) {
        // All resident opaque pages were used after the page left, and so were those evicted since.
        const auto from = (usage.opaque + refault.distance_from).as_double();
        const auto to = (usage.opaque + refault.distance_to).as_double();
        const auto pages = refault.pages.as_double();
        const double anonymous = std::clamp(sample.anonymous_refaults, 0.0, 1.0) * pages;
        epoch_.positions.add(from, to, {anonymous, pages - anonymous});
        refaults += pages;
    }
    epoch_.refaults += refaults;
    return refaults;
}

void Policy::end_epoch(const EpochSample& sample, Pages total, Decision& decision) {
    reuse_.end_epoch(sample, stack_, epoch_.positions);
    for (const SampledPage& page : sample.referenced)
        decision.footprint += Pages(page.weight);
    const Seconds noisy = sample.idle_before.count() > 0 ? std::min(epoch_.length, noise_before_return) : epoch_.length;
    decision.busy = epoch_.positions.misses(part_of(total, noise_.noise_depth)) > noise_.noise_rate_per_s * noisy.count();
    if (decision.busy || (epoch_.attended && epoch_.positions.accesses() > 0))
        reuse_.note_use();

    const bool violated = rule().goal_violated(epoch_, total);
    if (violated)
        decision.kind = DecisionKind::corrected;
    if (epoch_.length.count() > 0)
        decision.ageing = paper_.end_epoch(epoch_, total, violated);
    epoch_.clear();
}

bool Policy::outgrown(const MemoryUsage& usage, Pages evicted) const {
    return rule().outgrown(usage, evicted);
}

std::vector<CgroupKeeps> Policy::kept_by_cgroup() const {
    return gives_ && rule().learned() ? rule().kept_by_cgroup() : std::vector<CgroupKeeps>();
}

std::vector<CgroupKeeps> Policy::protected_by_cgroup() const {
    return gives_ && rule().learned() ? rule().protected_by_cgroup() : std::vector<CgroupKeeps>();
}

void Policy::set_limits(Pages total, Decision& decision) const {
    if (!rule().learned()) {
        decision.kind = DecisionKind::learning;
        decision.opaque_limit = total;
        return;
    }
    if (decision.kind == DecisionKind::learning)
        decision.kind = DecisionKind::measured;
    const OpaqueNeed need = rule().need(total);
    decision.opaque_wanted = need.wanted;
    decision.opaque_limit = std::clamp(need.wanted, need.min_opaque, total);
    decision.transparent_limit = total - decision.opaque_limit;
    estimate_misses(total, decision);
    decision.reason = reason_for(decision, need, total);
}

void Policy::estimate_misses(Pages total, Decision& decision) const {
    const AgedHistogram& histogram = paper_.histogram();
    if (!histogram.learned())
        return;
    const ByBacking misses = histogram.misses_beyond_per_s(decision.opaque_limit, total);
    const ByBacking latency = latency_.usual();
    decision.expected_misses_per_s = misses[0] + misses[1];
    const double stall = misses[0] * latency[0] + misses[1] * latency[1];
    // Inactive programs are not slowed down: 1 % of a processor counts as activity.
    decision.expected_slowdown = stall / std::max({histogram.active_share(), stall, 0.01});
}

}  // namespace tmm::core
