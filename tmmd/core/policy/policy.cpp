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

// The part of the idle time before a return that may hold noise. With all of a long epoch, noise could exceed the first second of
// a return, and the return would count as a false alarm.
constexpr Seconds noise_before_return{120};

Pages bucket_pages_for(Pages installed_pages) {
    return std::max(installed_pages / buckets_per_memory, Pages(1));
}

Pages share(double fraction, Pages total) {
    return Pages(std::llround(fraction * total.as_double()));
}

double excess(const LruHistogram& cost, Pages size, Pages total) {
    return cost.misses(size) - cost.misses(total);
}

}  // namespace

Policy::Policy(const PolicyParameters& parameters, Pages installed_pages)
    : parameters_(parameters),
      positions_(bucket_pages_for(installed_pages), nr_buckets),
      accesses_(bucket_pages_for(installed_pages), nr_buckets),
      histogram_(parameters.ageing, bucket_pages_for(installed_pages), nr_buckets),
      returns_(parameters.returns, bucket_pages_for(installed_pages), nr_buckets) {}

void Policy::set_parameters(const PolicyParameters& parameters) {
    parameters_ = parameters;
    histogram_.set_parameters(parameters.ageing);
    returns_.set_parameters(parameters.returns);
}

Decision Policy::step(const EpochSample& sample, const MemoryUsage& usage, AwakeTime now) {
    // If the clock went back, no time has passed.
    const Seconds elapsed = last_step_ ? std::max(Seconds(now - *last_step_), Seconds(0)) : Seconds(0);
    const Seconds length = std::min(elapsed, parameters_.max_epoch);
    last_step_ = now;
    since_scan_ += length;
    latency_.add(sample.reads);
    follow_memory_size(usage.total);

    Decision decision;
    const ByBacking avoidable = add_refaults(sample, usage);
    ages_.pass(std::min(sample.attended, length));
    ages_.add_refaults(sample.refaults, std::clamp(sample.anonymous_refaults, 0.0, 1.0));
    if (sample.evicted)
        ages_.add_evicted(*sample.evicted);
    if (sample.scanned)
        end_epoch(sample, since_scan_, usage.total, decision);
    follow_growth(sample, usage);

    bool goal_violated = false;
    if (length.count() > 0) {
        const ByBacking cost = cost_of_a_miss();
        const double avoidable_cost = (avoidable[0] * cost[0] + avoidable[1] * cost[1]) / length.count();
        goal_violated =
            parameters_.objective != Objective::reuse && avoidable_cost > allowed_cost(rates().weighted(cost), usage.total);
        decision.avoidable_misses_per_s = (avoidable[0] + avoidable[1]) / length.count();
        decision.ageing = histogram_.end_epoch({.length = length,
                                                .active = sample.active,
                                                .total_pages = usage.total,
                                                .known_pages = stack_.known_pages(),
                                                .goal_violated = goal_violated});
    }

    if (!histogram_.learned()) {
        decision.opaque_limit = usage.total;
        decision.reason = reason_for(decision, {}, usage.total);
        return decision;
    }
    decision.kind = goal_violated ? DecisionKind::corrected : DecisionKind::measured;
    const Need need = opaque_need(usage.total);
    last_need_ = need.pages;
    decision.opaque_wanted = need.pages;
    if (parameters_.objective != Objective::paper)
        decision.opaque_wanted += std::max(share(parameters_.margin, usage.total), need.uncertainty);
    decision.opaque_limit = std::clamp(decision.opaque_wanted, share(parameters_.min_opaque, usage.total), usage.total);
    decision.transparent_limit = usage.total - decision.opaque_limit;
    decision.expected_misses_per_s = rates().misses(decision.opaque_limit) - rates().misses(usage.total);
    const double stall = excess(rates().weighted(latency_.mean()), decision.opaque_limit, usage.total);
    // Inactive programs are not slowed down: their waiting stays within the floor.
    decision.expected_slowdown = stall / std::max({histogram_.active_share(), stall, 0.01});
    decision.reason = reason_for(decision, need, usage.total);
    return decision;
}

// Follows memory that is plugged in or removed: positions must reach beyond all of memory, in steps that are small beside it.
void Policy::follow_memory_size(Pages total) {
    const Pages now = rates().of(Backing::anonymous).bucket_pages();
    const Pages wanted = bucket_pages_for(total);
    if (total == Pages(0) || (wanted < 2 * now && now < 8 * wanted))
        return;
    histogram_.rebucket(wanted, nr_buckets);
    returns_.rebucket(wanted, nr_buckets);
    positions_ = GroupedHistogram(wanted, nr_buckets);
    accesses_ = accesses_.rebucketed(wanted, nr_buckets);
}

void Policy::end_epoch(const EpochSample& sample, Seconds length, Pages total, Decision& decision) {
    positions_.clear();
    if (sample.first_scan)
        stack_.add_first_scan(sample.referenced, positions_, &ages_);
    else
        stack_.end_epoch(sample.referenced, sample.gone, positions_, &ages_);
    ages_.end_epoch(reuse_);
    histogram_.temporary().add_scaled(positions_, 1);
    accesses_.add_scaled(positions_.all, 1);
    for (const SampledPage& page : sample.referenced)
        decision.footprint += Pages(page.weight);
    const Pages noise_depth = share(parameters_.ageing.noise_depth, total);
    const Seconds noisy = sample.idle_before.count() > 0 ? std::min(length, noise_before_return) : length;
    decision.busy = accesses_.misses(noise_depth) > parameters_.ageing.noise_rate_per_s * noisy.count();
    returns_.end_epoch(accesses_, length, decision.busy, sample.idle_before);
    accesses_.clear();
    since_scan_ = Seconds(0);
}

// Adds the refaults to the histograms. Returns those that more opaque memory would have avoided.
ByBacking Policy::add_refaults(const EpochSample& sample, const MemoryUsage& usage) {
    ByBacking avoidable{};
    for (const Refault& refault : sample.refaults) {
        // All resident opaque pages were used after the page left, and so were those evicted since.
        const auto from = (usage.opaque + refault.distance_from).as_double();
        const auto to = (usage.opaque + refault.distance_to).as_double();
        const auto pages = refault.pages.as_double();
        const double anonymous = std::clamp(sample.anonymous_refaults, 0.0, 1.0) * pages;
        const ByBacking counts{anonymous, pages - anonymous};
        histogram_.temporary().add_counted(from, to, counts);  // at once: a violated goal is averaged in before the epoch ends
        accesses_.add(from, to, counts);
        // A page less deep than the last need left for another reason (before that need, or by inexact reclaim). No larger limit
        // would have kept it.
        if (to > last_need_.as_double() && from < usage.total.as_double()) {
            avoidable[static_cast<std::size_t>(Backing::anonymous)] += anonymous;
            avoidable[static_cast<std::size_t>(Backing::file)] += pages - anonymous;
        }
    }
    return avoidable;
}

// Returns the cost of a miss in the unit of the objective: misses or seconds.
ByBacking Policy::cost_of_a_miss() const {
    return parameters_.objective == Objective::stall ? latency_.mean() : ByBacking{1, 1};
}

// Returns the cost a second that is allowed beyond the cost with all of memory.
double Policy::allowed_cost(const LruHistogram& cost, Pages total) const {
    if (parameters_.objective == Objective::stall)
        return parameters_.stall_rule.allowed_stall(histogram_.active_share());
    BetaRule rule = parameters_.rule;
    if (parameters_.objective == Objective::paper)
        rule.miss_floor_per_s = 0;
    return rule.allowed_misses(cost, total) - cost.misses(total);
}

Pages Policy::steady_need(const BackedHistogram& rates, Pages total) const {
    const LruHistogram cost = rates.weighted(cost_of_a_miss());
    return std::min(cost.smallest_size(cost.misses(total) + allowed_cost(cost, total), total), total);
}

// What comes after a scan is kept until the next one tells more.
void Policy::follow_growth(const EpochSample& sample, const MemoryUsage& usage) {
    const Pages came = usage.opaque + sample.evicted.value_or(Pages(0));
    if (sample.scanned) {
        if (parameters_.objective == Objective::reuse)
            kept_ = parameters_.keep.opaque_need(ages_, reuse_, latency_.mean());
        grown_ = Pages(0);
    } else if (came > last_opaque_) {
        grown_ += came - last_opaque_;
    }
    last_opaque_ = usage.opaque;
}

bool Policy::outgrown(const MemoryUsage& usage, Pages evicted) const {
    const Pages came = usage.opaque + evicted;
    return parameters_.objective == Objective::reuse && came > last_opaque_ &&
           4 * (came - last_opaque_).as_double() > parameters_.margin * usage.total.as_double();
}

Policy::Need Policy::opaque_need(Pages total) const {
    Need need;
    if (parameters_.objective == Objective::reuse) {
        need.pages = std::min(kept_ + grown_, total);
        return need;
    }
    need.pages = steady_need(rates(), total);
    // The sub-groups share no page, so their needs are independent estimates, each from an eighth of the sample.
    double sum = 0;
    double squares = 0;
    for (const BackedHistogram& group : histogram_.rates().groups) {
        const auto pages = steady_need(group, total).as_double();
        sum += pages;
        squares += pages * pages;
    }
    constexpr auto n = static_cast<double>(GroupedHistogram::nr_groups);
    const double variance = std::max(squares - sum * sum / n, 0.0) / (n - 1);
    need.uncertainty = Pages(std::llround(parameters_.confidence * std::sqrt(variance / n)));

    if (parameters_.objective == Objective::stall) {
        const Pages burst = returns_.opaque_need(parameters_.return_goal, latency_.mean(), total);
        need.for_returns = burst > need.pages;
        need.pages = std::max(need.pages, burst);
    }
    // A page used once so far has no position yet, and may be used again.
    if (parameters_.objective != Objective::paper && histogram_.learned_time() < parameters_.ageing.period) {
        const Pages used = std::min(stack_.used_pages(), total);
        need.for_all_used = used > need.pages;
        need.pages = std::max(need.pages, used);
    }
    return need;
}

Reason Policy::reason_for(const Decision& decision, const Need& need, Pages total) const {
    Reason reason;
    if (decision.kind == DecisionKind::learning)
        return reason;
    const bool corrected = decision.kind == DecisionKind::corrected;
    reason.code = corrected ? ReasonCode::corrected : ReasonCode::measured;
    reason.total = total;
    reason.need = need.pages;
    reason.opaque_limit = decision.opaque_limit;
    reason.allowed = decision.transparent_limit;
    if (need.for_all_used)
        reason.need_from = NeedFrom::all_used;
    else if (need.for_returns)
        reason.need_from = NeedFrom::a_return;
    if (parameters_.objective != Objective::paper && need.uncertainty > share(parameters_.margin, total))
        reason.uncertainty = need.uncertainty;
    if (parameters_.objective == Objective::stall)
        reason.expected_slowdown = decision.expected_slowdown;
    else
        reason.expected_misses_per_s = decision.expected_misses_per_s;
    if (corrected)
        reason.avoidable_misses_per_s = decision.avoidable_misses_per_s;
    else
        reason.histogram_kept = decision.ageing == AgedHistogram::Outcome::noise;
    return reason;
}

}  // namespace tmm::core
