// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/replay.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tmmd/core/histogram/spatial_sampling.hpp"

namespace tmm::replay {

namespace {

constexpr std::uint64_t idle_step_us = 120'000'000;  // two minutes, the maximum length of joined epochs
constexpr int max_idle_steps = 720;                  // a day; a machine without records for longer was switched off

// The yardstick for a curve and for the limits, whatever the objective: 5 % more misses than with all of memory (the paper's
// section 2.1), or one more a second, since a trace that fits into memory has next to none.
constexpr double goal_beta = 1.05;
constexpr double min_allowed_per_s = 1;

void add_exactly(const OwnerModel::Use& use, std::uint32_t weight, MissCurve& curve) {
    if (use.first)
        curve.add_first_uses(weight);
    else
        curve.add(use.position, weight);
}

}  // namespace

Replay::Replay(const Parameters& parameters)
    : parameters_(parameters),
      tick_({.epochs = {.policy = parameters.policy, .scan_always = true}, .giving = {}}, parameters.memory),
      positions_(core::Pages(1), MissCurve::nr_steps),
      sampled_(parameters.memory, parameters.sample_shift),
      resident_(parameters.memory),
      epoch_end_us_(parameters.epoch_us) {
    if (parameters.exact) {
        outcome_.exact_curve.emplace();
        if (parameters.sample_shift > 0)
            all_.emplace(parameters.memory, 0);
    }
    step({}, core::Seconds(0), 0);  // starts the clock of the policy
}

void Replay::add_opaque(const trace::Record& record) {
    if (all_)
        use_exactly(record);
    if (core::is_sampled(record.page, parameters_.sample_shift))
        use(record);
    if (record.kind == trace::RecordKind::referenced)
        outcome_.references += record.weight;
}

void Replay::use_exactly(const trace::Record& record) {
    if (record.kind != trace::RecordKind::referenced) {
        all_->forget(record.page);
        return;
    }
    add_exactly(all_->use(record.page, record.weight), record.weight, *outcome_.exact_curve);
}

void Replay::use(const trace::Record& record) {
    if (record.kind != trace::RecordKind::referenced) {
        if (sampled_.forget(record.page))
            gone_.push_back(record.page);
        resident_.forget(record.page);
        return;
    }
    const std::uint32_t weight = record.weight << parameters_.sample_shift;
    const OwnerModel::Use use = sampled_.use(record.page, record.weight);
    if (outcome_.exact_curve && !all_)
        add_exactly(use, record.weight, *outcome_.exact_curve);
    if (const auto distance = resident_.use(record.page, core::Pages(weight)))
        refaults_.push_back({*distance, *distance, core::Pages(weight)});
    if (!use.first_in_epoch)
        return;
    referenced_.push_back({record.page, weight});
    if (use.first)
        first_uses_ += weight;
}

core::MemoryUsage Replay::usage() const {
    // Contributions have all memory that the owner does not use: the worst case.
    return {.total = parameters_.memory,
            .opaque = resident_.resident(),
            .transparent = saturating_sub(parameters_.memory, resident_.resident())};
}

// Widens the steps if positions up to pages do not fit.
void Replay::make_room(core::Pages pages) {
    for (;;) {
        const core::Pages step = positions_.of(core::Backing::anonymous).bucket_pages();
        if (pages <= MissCurve::nr_steps * step)
            return;
        positions_ = positions_.rebucketed(2 * step, MissCurve::nr_steps);
    }
}

core::EpochSample Replay::take_sample() {
    core::EpochSample sample;
    // Drops pages that were evicted or freed after their use.
    if (!gone_.empty())
        std::erase_if(referenced_, [&](const core::SampledPage& page) { return !sampled_.knows(page.key); });
    sample.referenced.swap(referenced_);
    sample.gone.swap(gone_);
    sample.refaults.swap(refaults_);
    return sample;
}

// Ends the current epoch and those without records after it. Of these it joins several, as tmmd seldom scans an idle machine:
// otherwise a trace of few records could take hours.
void Replay::end_epochs_until(std::uint64_t t_us) {
    end_epoch();
    for (int step = 0; t_us >= epoch_end_us_; ++step) {
        const std::uint64_t epochs_left = (t_us - epoch_end_us_) / parameters_.epoch_us + 1;
        const std::uint64_t at_once =
            step < max_idle_steps ? std::clamp<std::uint64_t>(idle_step_us / parameters_.epoch_us, 1, epochs_left) : epochs_left;
        epoch_end_us_ += (at_once - 1) * parameters_.epoch_us;
        outcome_.epochs += at_once - 1;
        end_epoch();
    }
}

void Replay::end_epoch() {
    core::EpochSample sample = take_sample();
    core::Pages footprint(0);
    for (const core::SampledPage& page : sample.referenced)
        footprint += core::Pages(page.weight);
    make_room(epoch_stack_.known_pages() + footprint);
    epoch_stack_.end_epoch(sample.referenced, sample.gone, positions_);
    footprints_ += footprint;
    nr_used_epochs_ += footprint > core::Pages(0) ? 1 : 0;
    const core::Seconds epoch = std::chrono::microseconds(parameters_.epoch_us);
    core::Seconds active{0};
    if (footprint.as_double() > parameters_.policy.ageing.noise_rate_per_s * epoch.count()) {
        active = epoch;  // a trace holds no processor time: assume one program, always active
        used_us_ = epoch_end_us_;
        outcome_.active_s += epoch.count();
    }

    // The kernel's scanner sees a returned page as a new one; its refault distance tells the rest.
    const std::vector<core::PageKey> evicted = resident_.take_gone();
    sample.gone.insert(sample.gone.end(), evicted.begin(), evicted.end());
    sample.evicted = resident_.take_evicted();
    std::erase_if(sample.referenced, [&](const core::SampledPage& page) { return !resident_.is_resident(page.key); });
    const core::Decision& decision = step(std::move(sample), active, epoch_end_us_);
    note_limit(decision);
    sampled_.end_epoch(decision.opaque_limit);
    resident_.set_limit(decision.opaque_limit);
    if (all_)
        all_->end_epoch(decision.opaque_limit);
    ++outcome_.epochs;
    epoch_end_us_ += parameters_.epoch_us;
}

// A reading of all that the machine would say at this time of the trace.
const core::Decision& Replay::step(core::EpochSample sample, core::Seconds active, std::uint64_t t_us) {
    const std::chrono::microseconds now(t_us);
    core::Reading reading;
    reading.now = {
        .awake = core::AwakeTime(now), .elapsed = core::ElapsedTime(now), .wall = core::WallTime(now), .local_minute = 0};
    reading.usage = usage();
    if (used_us_)
        reading.idle_for = std::chrono::microseconds(t_us - *used_us_);
    core::SecondRead second;
    second.sample = std::move(sample);
    second.active = active;
    second.source = "trace";
    reading.second = std::move(second);
    return tick_.step(reading).step->decision;
}

void Replay::note_limit(const core::Decision& decision) {
    const bool first = outcome_.limits.empty();
    if (!first && decision.kind == last_kind_ && decision.opaque_limit == outcome_.limits.back().opaque_pages)
        return;
    last_kind_ = decision.kind;
    outcome_.limits.push_back({first ? 0 : epoch_end_us_, decision.opaque_limit, decision.reason});
}

core::Pages Replay::need_of(const MissCurve& curve) const {
    if (outcome_.active_s <= 0)
        return core::Pages(0);
    core::LruHistogram rates = curve.positions();
    rates.average_in(curve.positions(), 1 / outcome_.active_s, 1);
    const double with_all = rates.misses(parameters_.memory);
    const double allowed = std::max(goal_beta * with_all, with_all + min_allowed_per_s);
    const core::Pages size = rates.smallest_size(allowed, parameters_.memory);
    return std::min(size, parameters_.memory);
}

void Replay::measure_success() {
    const OwnerModel& model = all_ ? *all_ : sampled_;
    outcome_.misses_at_limit = model.misses_at_limit();
    outcome_.misses_all_memory = model.misses_all_memory();
    const auto all = static_cast<double>(outcome_.misses_all_memory);
    const double excess = static_cast<double>(outcome_.misses_at_limit) - all;
    if (excess <= 0)
        return;
    const double floor = std::max(min_allowed_per_s * outcome_.active_s, 1.0);
    outcome_.achieved_beta = 1 + excess / std::max(all, floor / (goal_beta - 1));
}

Outcome Replay::finish() && {
    if (outcome_.records > 0)
        end_epoch();
    outcome_.curve = MissCurve(positions_.weighted({1, 1}), first_uses_);
    if (nr_used_epochs_ > 0)
        outcome_.footprint = footprints_ / nr_used_epochs_;
    const MissCurve& best = outcome_.exact_curve ? *outcome_.exact_curve : outcome_.curve;
    outcome_.pages = core::Pages(std::llround(best.first_uses()));
    outcome_.need = need_of(outcome_.curve);
    if (outcome_.exact_curve) {
        outcome_.exact_need = need_of(*outcome_.exact_curve);
        outcome_.error = difference(outcome_.curve, *outcome_.exact_curve, static_cast<double>(outcome_.references),
                                    outcome_.footprint, outcome_.pages);
    }
    measure_success();
    return std::move(outcome_);
}

}  // namespace tmm::replay
