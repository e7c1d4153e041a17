// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/policy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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

// The part of the margin that opaque programs may take before the limit rises within an epoch.
constexpr double noticed_growth = 0.25;

Pages bucket_pages_for(Pages installed_pages) {
    return std::max(installed_pages / buckets_per_memory, Pages(1));
}

Pages share(double fraction, Pages total) {
    return Pages(std::llround(fraction * total.as_double()));
}

}  // namespace

Policy::Policy(const PolicyParameters& parameters, Pages installed_pages)
    : parameters_(parameters),
      accesses_(bucket_pages_for(installed_pages), nr_buckets),
      histogram_(parameters.ageing, bucket_pages_for(installed_pages), nr_buckets) {}

void Policy::set_parameters(const PolicyParameters& parameters) {
    parameters_ = parameters;
}

Decision Policy::step(const EpochSample& sample, const MemoryUsage& usage, AwakeTime now) {
    // If the clock went back, no time has passed.
    const Seconds elapsed = last_step_ ? std::max(Seconds(now - *last_step_), Seconds(0)) : Seconds(0);
    const Seconds length = std::min(elapsed, max_epoch);
    last_step_ = now;
    since_scan_ += length;
    active_ += sample.active;
    latency_.add(sample.reads);
    follow_memory_size(usage.total);

    Decision decision;
    const double refaults = add_refaults(sample, usage);
    if (length.count() > 0)
        decision.refaults_per_s = refaults / length.count();
    attended_ |= sample.attended.count() > 0;
    ages_.pass(length, std::min(sample.attended, length));
    if (sample.left)
        stack_.left(*sample.left, ages_);
    if (sample.evicted)
        ages_.add_evicted(*sample.evicted);
    ages_.add_refaults(sample.refaults, std::clamp(sample.anonymous_refaults, 0.0, 1.0));
    if (sample.scanned)
        end_epoch(sample, usage.total, decision);
    follow_growth(sample, usage);
    set_limits(usage.total, decision);
    gives_ = decision.transparent_limit > Pages(0);
    return decision;
}

// Follows memory that is plugged in or removed: positions must reach beyond all of memory, in steps that are small beside it.
void Policy::follow_memory_size(Pages total) {
    const Pages now = accesses_.of(Backing::anonymous).bucket_pages();
    const Pages wanted = bucket_pages_for(total);
    if (total == Pages(0) || (wanted < 2 * now && now < 8 * wanted))
        return;
    histogram_.rebucket(wanted, nr_buckets);
    accesses_ = accesses_.rebucketed(wanted, nr_buckets);
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
        accesses_.add(from, to, {anonymous, pages - anonymous});
        refaults += pages;
    }
    refaults_ += refaults;
    return refaults;
}

void Policy::end_epoch(const EpochSample& sample, Pages total, Decision& decision) {
    stack_.end_epoch(sample.referenced, sample.gone, accesses_, ages_, reuse_);
    for (const SampledPage& page : sample.referenced)
        decision.footprint += Pages(page.weight);
    const Pages noise_depth = share(parameters_.ageing.noise_depth, total);
    const Seconds noisy = sample.idle_before.count() > 0 ? std::min(since_scan_, noise_before_return) : since_scan_;
    decision.busy = accesses_.misses(noise_depth) > parameters_.ageing.noise_rate_per_s * noisy.count();

    used_ |= decision.busy || (std::exchange(attended_, false) && accesses_.accesses() > 0);
    const bool violated = goal_violated(total);
    if (violated)
        decision.kind = DecisionKind::corrected;
    if (since_scan_.count() > 0) {
        decision.ageing = histogram_.end_epoch(
            accesses_, {.length = since_scan_, .active = active_, .total_pages = total, .goal_violated = violated});
    }
    accesses_.clear();
    refaults_ = 0;
    since_scan_ = active_ = Seconds(0);
}

// Section 2.4: the misses of this epoch, against those that the goal permits.
bool Policy::goal_violated(Pages total) const {
    if (!by_paper() || !histogram_.learned() || since_scan_.count() <= 0)
        return false;
    const double permitted = parameters_.rule.allowed_misses(histogram_.shares(), total) / histogram_.shares().accesses();
    return refaults_ > permitted * accesses_.accesses();
}

// What comes after a scan is kept until the next one tells more. As much again finds room until the next step.
void Policy::follow_growth(const EpochSample& sample, const MemoryUsage& usage) {
    const Pages grown = saturating_sub(usage.opaque + sample.evicted.value_or(Pages(0)), last_opaque_.value_or(Pages(0)));
    // All memory is new to the first step, and tells of no program that starts.
    ahead_ = last_opaque_ ? grown : Pages(0);
    if (sample.scanned) {
        kept_ = parameters_.keep.opaque_need(ages_, reuse_, latency_.usual());  // whatever the objective: it may change
        grown_ = Pages(0);
    } else {
        grown_ += grown;
    }
    last_opaque_ = usage.opaque;
    total_ = usage.total;
}

bool Policy::outgrown(const MemoryUsage& usage, Pages evicted) const {
    const Pages came = usage.opaque + evicted;
    return !by_paper() && came > last_opaque_.value_or(Pages(0)) &&
           (came - last_opaque_.value_or(Pages(0))).as_double() > noticed_growth * parameters_.margin * usage.total.as_double();
}

std::vector<CgroupKeeps> Policy::kept_by_cgroup() const {
    return by_paper() || !learned() || !gives_ ? std::vector<CgroupKeeps>() : kept_.by_cgroup;
}

std::vector<CgroupKeeps> Policy::protected_by_cgroup() const {
    std::vector<CgroupKeeps> kept = kept_by_cgroup();
    if (kept_.pages == Pages(0))
        return kept;
    const double factor = 1 + (1 - noticed_growth) * ratio(share(parameters_.margin, total_), kept_.pages);
    for (CgroupKeeps& one : kept)
        one.pages = share(factor, one.pages);
    return kept;
}

// KeepRule gives nothing before somebody used the machine: nobody knows an owner who has not come yet.
bool Policy::learned() const {
    return by_paper() ? histogram_.learned() : used_;
}

void Policy::set_limits(Pages total, Decision& decision) const {
    if (!learned()) {
        decision.kind = DecisionKind::learning;
        decision.opaque_limit = total;
        return;
    }
    if (decision.kind == DecisionKind::learning)
        decision.kind = DecisionKind::measured;
    const PolicyParameters& p = parameters_;
    const Pages need =
        by_paper() ? p.rule.opaque_need(histogram_.shares(), total) : std::min(kept_.pages + grown_ + ahead_, total);
    decision.opaque_wanted = by_paper() ? need : need + share(p.margin, total);
    const double min_opaque = by_paper() ? std::max(p.min_opaque, p.ageing.noise_depth) : p.min_opaque;
    decision.opaque_limit = std::clamp(decision.opaque_wanted, share(min_opaque, total), total);
    decision.transparent_limit = total - decision.opaque_limit;
    estimate_misses(total, decision);
    decision.reason = reason_for(decision, need, total);
}

void Policy::estimate_misses(Pages total, Decision& decision) const {
    if (!histogram_.learned())
        return;
    decision.expected_misses_per_s = histogram_.misses_per_s(decision.opaque_limit) - histogram_.misses_per_s(total);
    const LruHistogram waiting = histogram_.shares().weighted(latency_.usual());
    const double each = (waiting.misses(decision.opaque_limit) - waiting.misses(total)) / histogram_.shares().accesses();
    const double stall = histogram_.accesses_per_s() * each;
    // Inactive programs are not slowed down: 1 % of a processor counts as activity.
    decision.expected_slowdown = stall / std::max({histogram_.active_share(), stall, 0.01});
}

Reason Policy::reason_for(const Decision& decision, Pages need, Pages total) const {
    const bool corrected = decision.kind == DecisionKind::corrected;
    Reason reason;
    reason.code = corrected ? ReasonCode::corrected : ReasonCode::measured;
    reason.total = total;
    reason.need = need;
    reason.opaque_limit = decision.opaque_limit;
    reason.allowed = decision.transparent_limit;
    reason.expected_misses_per_s = decision.expected_misses_per_s;
    reason.histogram_kept = by_paper() && decision.ageing == AgedHistogram::Outcome::noise;
    return reason;
}

}  // namespace tmm::core
