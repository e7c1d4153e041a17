// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/reuse_rule.hpp"

#include <algorithm>

namespace tmm::core {

namespace {

// The part of the margin that opaque programs may take before the limit rises within an epoch.
constexpr double noticed_growth = 0.25;

}  // namespace

void ReuseRule::set_parameters(const PolicyParameters& parameters) {
    rule_ = parameters.keep;
    min_opaque_ = parameters.min_opaque;
    margin_ = parameters.margin;
}

void ReuseRule::pass(const EpochSample& sample, Seconds length, EpochStack& stack) {
    ages_.pass(length, std::min(sample.attended, length));
    if (sample.left)
        stack.left(*sample.left, ages_);
    if (sample.evicted)
        ages_.add_evicted(*sample.evicted);
    ages_.add_refaults(sample.refaults, std::clamp(sample.anonymous_refaults, 0.0, 1.0));
}

void ReuseRule::end_epoch(const EpochSample& sample, EpochStack& stack, BackedHistogram& positions) {
    stack.end_epoch(sample.referenced, sample.gone, positions, ages_, table_);
}

// What comes after a scan is kept until the next one tells more. As much again finds room until the next step.
void ReuseRule::follow_growth(const EpochSample& sample, const MemoryUsage& usage, const ByBacking& latency) {
    const Pages grown = saturating_sub(usage.opaque + sample.evicted.value_or(Pages(0)), last_opaque_.value_or(Pages(0)));
    // All memory is new to the first step, and tells of no program that starts.
    ahead_ = last_opaque_ ? grown : Pages(0);
    if (sample.scanned) {
        kept_ = without(rule_.opaque_need(ages_, table_, latency), sample.uncounted);
        grown_ = Pages(0);
    } else {
        grown_ += grown;
    }
    last_opaque_ = usage.opaque;
    total_ = usage.total;
}

void ReuseRule::forget_pages() {
    ages_ = PageAges();
    kept_.by_cgroup.clear();
}

void ReuseRule::restore(const ReuseTable& table) {
    table_ = table;
    used_ = table.time().attended.count() > 0;
}

OpaqueNeed ReuseRule::need(Pages total) const {
    const Pages need = std::min(kept_.pages + grown_ + ahead_, total);
    return {.pages = need, .wanted = need + part_of(total, margin_), .min_opaque = part_of(total, min_opaque_)};
}

bool ReuseRule::outgrown(const MemoryUsage& usage, Pages evicted) const {
    const Pages grown = saturating_sub(usage.opaque + evicted, last_opaque_.value_or(Pages(0)));
    return grown > Pages(0) && grown.as_double() > noticed_growth * margin_ * usage.total.as_double();
}

std::vector<CgroupKeeps> ReuseRule::protected_by_cgroup() const {
    std::vector<CgroupKeeps> kept = kept_.by_cgroup;
    if (kept_.pages == Pages(0))
        return kept;
    const double factor = 1 + (1 - noticed_growth) * ratio(part_of(total_, margin_), kept_.pages);
    for (CgroupKeeps& one : kept)
        one.pages = part_of(one.pages, factor);
    return kept;
}

}  // namespace tmm::core
