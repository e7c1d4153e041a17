// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/epoch_stepper.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tmm::app {

namespace {

double refaults_per_s(const core::EpochSample& sample, core::Seconds elapsed) {
    core::Pages pages(0);
    for (const core::Refault& refault : sample.refaults)
        pages += refault.pages;
    return elapsed.count() > 0 ? pages.as_double() / elapsed.count() : 0.0;
}

// Without samples an earlier histogram would be out of date by now: opaque programs keep all that they have.
core::Decision decision_without_samples(const core::Decision& before, core::Pages total) {
    core::Decision decision;
    decision.ageing = before.ageing;
    decision.opaque_limit = total;
    decision.reason.code = core::ReasonCode::no_samples;
    return decision;
}

}  // namespace

void EpochStepper::set_config(const config::Config& config) {
    config_ = config;
    policy_.set_parameters(config.policy);
}

void EpochStepper::restart() {
    policy_.restart_sampling();
    epoch_start_.reset();
    ending_.reset();
}

Result<EpochPoll> EpochStepper::poll(const Adapters& adapters, const std::vector<std::string>& transparent_cgroups,
                                     std::optional<bool> attended, core::AwakeTime now) {
    const auto used = observer_.read_cpu_delta(transparent_cgroups);
    if (!used)
        return used.error();
    const core::AwakeTime before = last_poll_.value_or(now);
    const core::Seconds elapsed(now - before);
    last_poll_ = now;
    if (presence_.value_or(false) && !attended.value_or(true))
        left_at_ = now - std::chrono::duration_cast<core::AwakeTime::duration>(config_.giving.idle_after);
    presence_ = attended;
    attended_ += attended.value_or(in_use_) ? elapsed : core::Seconds(0);
    if (attended)
        returns_.pass(elapsed, *attended);

    EpochPoll poll;
    poll.sample.scanned = false;
    if (epoch_start_ && !config_.epoch) {
        auto polled = adapters.source->poll_refaults();
        if (!polled)
            return std::move(polled).error();
        poll.sample = *std::move(polled);
        add_evicted(poll.sample);
    }
    bool is_due = !epoch_start_ || config_.epoch;
    core::Seconds idle_before{0};
    if (!is_due) {
        const double activity = elapsed.count() > 0 ? *used / elapsed : 0.0;
        // A task that waits for missed pages uses no processor, but is not idle.
        const bool misses = refaults_per_s(poll.sample, elapsed) > config_.policy.ageing.noise_rate_per_s;
        const core::Seconds epoch = now - *epoch_start_;
        is_due = adapters.source->due(epoch) && pace_.due(epoch, misses ? std::max(activity, 1.0) : activity);
        if (is_due && pace_.woken())
            idle_before = before - *epoch_start_;
        const auto usage = adapters.sink->usage();
        if (!usage)
            return usage.error();
        poll.usage = *usage;
        poll.outgrown = outgrown(*usage);
    }
    if (!ending_ && is_due)
        ending_ = {own_cpu_time_(), idle_before};
    poll.epoch_over = adapters.source->has_failed() || (ending_ && adapters.source->prepare());
    if (poll.epoch_over) {
        poll.own_cpu = ending_ ? ending_->own_cpu : own_cpu_time_();
        poll.sample.idle_before = ending_ ? ending_->idle_before : core::Seconds(0);
        ending_.reset();
    }
    return poll;
}

void EpochStepper::add_evicted(const core::EpochSample& sample) {
    if (sample.evicted)
        evicted_ = evicted_.value_or(core::Pages(0)) + *sample.evicted;
}

bool EpochStepper::outgrown(const core::MemoryUsage& usage) const {
    return config_.policy.objective != core::Objective::paper && policy_.outgrown(usage, evicted_.value_or(core::Pages(0)));
}

Result<core::EpochSample> EpochStepper::scan(os::SampleSource& source, const core::EpochSample& polled) {
    auto sample = source.sample();
    if (!sample)
        return sample;
    sample->refaults.insert(sample->refaults.end(), polled.refaults.begin(), polled.refaults.end());
    sample->idle_before = polled.idle_before;
    return sample;
}

Result<EpochStep> EpochStepper::step(const Adapters& adapters, const std::vector<std::string>& transparent_cgroups,
                                     EpochPoll poll, core::AwakeTime now) {
    EpochStep step;
    step.sample = std::move(poll.sample);
    if (poll.epoch_over) {
        auto scanned = scan(*adapters.source, step.sample);
        if (!scanned)
            return std::move(scanned).error();
        step.sample = *std::move(scanned);
        add_evicted(step.sample);
        step.source_changed = source_id_ != adapters.source->id();
        if (step.source_changed && !source_id_.empty())
            policy_.restart_sampling();
        source_id_ = adapters.source->id();
    }
    step.sample.evicted = std::exchange(evicted_, std::nullopt);
    step.sample.attended = std::exchange(attended_, core::Seconds(0));
    const core::Seconds length = last_step_ ? core::Seconds(now - *last_step_) : core::Seconds(0);
    if (left_at_)
        step.sample.left = now - *std::exchange(left_at_, std::nullopt);
    const auto usage = adapters.sink->usage();
    if (!usage)
        return usage.error();
    const bool took = poll.epoch_over && took_memory(usage->opaque, now);
    if (took && !presence_)
        step.sample.attended = length;
    const auto faults = observer_.complete(step.sample, transparent_cgroups);
    if (!faults)
        return faults.error();

    TimelineRow& row = step.row;
    row.usage = *usage;
    row.decision = policy_.step(step.sample, *usage, now);
    if (!adapters.source->can_learn())
        row.decision = decision_without_samples(row.decision, usage->total);
    if (poll.epoch_over) {
        row.epoch = epoch_start_ ? core::Seconds(now - *epoch_start_) : core::Seconds(0);
        note_use(step.sample, row.decision.busy || took, row.epoch);
        epoch_start_ = now;
        step.rate_changed = adapt_pace(*adapters.source, row, poll.own_cpu);
    }
    if (returns_.under_way()) {
        step.return_faults = *faults;
        step.return_begins = returns_.take_begun();
    }
    if (!*faults)
        row.opaque_faults_per_s = std::numeric_limits<double>::quiet_NaN();
    else if (length.count() > 0)
        row.opaque_faults_per_s = static_cast<double>(**faults) / length.count();
    last_step_ = now;
    if (!first_epoch_)
        first_epoch_ = now;
    row.since_start = now - *first_epoch_;
    row.miss_latency = policy_.latency().usual();
    row.samples = policy_.known_samples();
    return step;
}

// Returns whether opaque programs took more memory in the epoch that ends than noise would. A first use is no access, so a
// program that only takes memory leaves an epoch quiet.
bool EpochStepper::took_memory(core::Pages opaque, core::AwakeTime now) {
    const core::Pages before = std::exchange(opaque_at_scan_, opaque);
    if (!epoch_start_)
        return false;
    const core::Seconds epoch(now - *epoch_start_);
    return saturating_sub(opaque, before).as_double() > config_.policy.ageing.noise_rate_per_s * epoch.count();
}

// Where nothing tells of people, use tells whether somebody is there. length: of the epoch that ended.
void EpochStepper::note_use(const core::EpochSample& sample, bool in_use, core::Seconds length) {
    in_use_ = in_use;
    if (presence_)
        return;
    returns_.pass(sample.idle_before, false);
    returns_.pass(length - sample.idle_before, in_use);
}

// cpu_before: processor time of this process before this epoch's work. Returns whether the sampling rate changed.
bool EpochStepper::adapt_pace(os::SampleSource& source, const TimelineRow& row, core::Seconds cpu_before) {
    const core::Seconds cpu_now = own_cpu_time_();
    const core::Seconds polls = last_scan_cpu_ ? cpu_before - *last_scan_cpu_ : core::Seconds(0);
    last_scan_cpu_ = cpu_now;
    const core::Decision& decision = row.decision;
    pace_.epoch_ended({.length = row.epoch,
                       .footprint = decision.footprint,
                       .opaque_limit = decision.opaque_limit,
                       .busy = decision.busy,
                       .learning = decision.kind == core::DecisionKind::learning,
                       .cost = cpu_now - cpu_before,
                       .poll_cost = polls,
                       .samples = policy_.known_samples()});
    if (config_.sample_shift)
        return false;
    const int change = pace_.take_rate_change();
    if (change == 0)
        return false;
    if (!source.change_rate(change))
        return false;
    policy_.restart_sampling();
    return true;
}

}  // namespace tmm::app
