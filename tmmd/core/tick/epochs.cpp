// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/tick/epochs.hpp"

#include <algorithm>
#include <utility>

namespace tmm::core {

namespace {

double refaults_per_s(const EpochSample& sample, Seconds elapsed) {
    Pages pages(0);
    for (const Refault& refault : sample.refaults)
        pages += refault.pages;
    return elapsed.count() > 0 ? pages.as_double() / elapsed.count() : 0.0;
}

// Without samples an earlier histogram would be out of date by now: opaque programs keep all that they have.
Decision decision_without_samples(const Decision& before, Pages total) {
    Decision decision;
    decision.ageing = before.ageing;
    decision.opaque_limit = total;
    decision.reason.code = ReasonCode::no_samples;
    return decision;
}

}  // namespace

void Epochs::set_parameters(const EpochParameters& parameters) {
    parameters_ = parameters;
    policy_.set_parameters(parameters.policy);
}

void Epochs::restart() {
    policy_.restart_sampling();
    epoch_start_.reset();
    ending_.reset();
}

// The cost of a scan is known one reading later, with that of its evaluation.
void Epochs::account(Seconds own_cpu) {
    if (!scan_began_)
        return;
    scan_cost_ = own_cpu - *std::exchange(scan_began_, std::nullopt);
    scan_ended_ = own_cpu;
}

// Returns whether opaque programs took more memory in the epoch that ends than noise would. A first use is no access, so a
// program that only takes memory leaves an epoch quiet.
bool Epochs::took_memory(Pages opaque, AwakeTime now) {
    const Pages before = std::exchange(opaque_at_scan_, opaque);
    if (!epoch_start_)
        return false;
    const Seconds epoch(now - *epoch_start_);
    return saturating_sub(opaque, before).as_double() > parameters_.policy.ageing.noise_rate_per_s * epoch.count();
}

void Epochs::step(const Reading& reading, const Presence& presence, PresenceWatch& people, Wanted& wanted) {
    const SecondRead& second = *reading.second;
    const AwakeTime now = reading.now.awake;
    const Seconds elapsed(now - last_tick_.value_or(now));
    account(second.own_cpu);
    if (second.rate_changed)
        policy_.restart_sampling();
    EpochSample sample = second.sample;
    active_ += second.active;
    attended_ += presence.attended.value_or(in_use_) ? elapsed : Seconds(0);
    if (sample.evicted)
        evicted_ = evicted_.value_or(Pages(0)) + *sample.evicted;
    const bool scanned = sample.scanned;
    const bool outgrown = policy_.outgrown(*reading.usage, evicted_.value_or(Pages(0)));
    if (scanned || outgrown || !sample.refaults.empty()) {
        const Seconds attended = attended_;
        wanted.step = decide(reading, std::move(sample), presence, people);
        if (scanned) {
            wanted.scanned = Scanned{policy_.kept_by_cgroup(), attended};
            wanted.rate_change = adapt_pace(*wanted.step);
        }
    }
    wanted.scan = wants_scan(reading, elapsed);
    last_tick_ = now;
}

PolicyStep Epochs::decide(const Reading& reading, EpochSample sample, const Presence& presence, PresenceWatch& people) {
    const SecondRead& second = *reading.second;
    const AwakeTime now = reading.now.awake;
    const bool scanned = sample.scanned;
    PolicyStep step;
    if (scanned) {
        step.source_changed = source_ != second.source;
        if (step.source_changed && !source_.empty())
            policy_.restart_sampling();
        source_ = second.source;
    }
    if (scanned && ending_)
        sample.idle_before = ending_->idle_before;
    sample.active = std::exchange(active_, Seconds(0));
    sample.evicted = std::exchange(evicted_, std::nullopt);
    sample.attended = std::exchange(attended_, Seconds(0));
    if (left_at_)
        sample.left = now - *std::exchange(left_at_, std::nullopt);
    const bool took = scanned && took_memory(reading.usage->opaque, now);
    if (took && !presence.attended)
        sample.attended = now - last_step_.value_or(now);

    sample.uncounted = reading.uncounted;
    step.usage = *reading.usage;
    step.decision = policy_.step(sample, *reading.usage, now);
    if (!second.can_learn)
        step.decision = decision_without_samples(step.decision, reading.usage->total);
    Presence seen = presence;
    if (scanned) {
        step.epoch = epoch_start_ ? Seconds(now - *epoch_start_) : Seconds(0);
        in_use_ = step.decision.busy || took;
        seen = people.note_use(sample.idle_before, step.epoch, in_use_, now);
        epoch_start_ = now;
        const Seconds before = ending_ ? ending_->own_cpu : second.own_cpu;
        scan_began_ = std::max(before, scan_ended_.value_or(before));
        poll_cost_ = *scan_began_ - scan_ended_.value_or(*scan_began_);
        ending_.reset();
    }
    const bool begins = std::exchange(return_begins_, false) || seen.returned;
    if (seen.returning) {
        step.return_faults = second.opaque_faults;
        step.return_begins = begins;
    }
    const Seconds counted = now - last_counted_.value_or(now);
    if (second.opaque_faults) {
        step.opaque_faults_per_s = counted.count() > 0 ? static_cast<double>(*second.opaque_faults) / counted.count() : 0;
        last_counted_ = now;
    }
    last_step_ = now;
    step.since_start = now - *(first_step_ = first_step_.value_or(now));
    step.miss_latency = policy_.latency().usual();
    step.samples = policy_.known_samples();
    return step;
}

int Epochs::adapt_pace(const PolicyStep& step) {
    const Decision& decision = step.decision;
    pace_.epoch_ended({.length = step.epoch,
                       .footprint = decision.footprint,
                       .opaque_limit = decision.opaque_limit,
                       .busy = decision.busy,
                       .learning = decision.kind == DecisionKind::learning,
                       .cost = scan_cost_,
                       .poll_cost = poll_cost_,
                       .samples = step.samples});
    return parameters_.fixed_rate ? 0 : pace_.take_rate_change();
}

// Returns whether the epoch is to be over at the next reading, about as far away as the last one.
bool Epochs::wants_scan(const Reading& reading, Seconds elapsed) {
    const SecondRead& second = *reading.second;
    if (second.preparing && ending_)
        return true;
    ending_.reset();
    if (!epoch_start_ || parameters_.scan_always)
        return true;
    // A task that waits for missed pages uses no processor, but is not idle. A scan tells of all refaults of its epoch.
    const bool misses =
        !second.sample.scanned && refaults_per_s(second.sample, elapsed) > parameters_.policy.ageing.noise_rate_per_s;
    const double activity = elapsed.count() > 0 ? second.active / elapsed : 0.0;
    const Seconds epoch = reading.now.awake - *epoch_start_;
    if (!pace_.due(epoch + elapsed, misses ? std::max(activity, 1.0) : activity))
        return false;
    ending_ = Ending{second.own_cpu, pace_.woken() ? std::max(epoch - elapsed, Seconds(0)) : Seconds(0)};
    return true;
}

}  // namespace tmm::core
