// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/daemon.hpp"

#include <algorithm>
#include <cmath>

#include "tmmd/os/page_size.hpp"

namespace tmm::app {

namespace {

// New contributions are looked for so often while all are held: none should run for a whole idle epoch.
constexpr core::Seconds held_discovery_interval{5};

double refaults_per_s(const core::EpochSample& sample, core::Seconds elapsed) {
    core::Pages pages = 0;
    for (const core::Refault& refault : sample.refaults)
        pages += refault.pages;
    return elapsed.count() > 0 ? static_cast<double>(pages) / elapsed.count() : 0.0;
}

}  // namespace

Daemon::Daemon(const config::Config& config, const RootDir& root, const Log& log, AdapterFactory adapters, core::Pages installed,
               bool dry_run, Outputs outputs)
    : config_(config),
      root_(root),
      log_(log),
      factory_(std::move(adapters)),
      dry_run_(dry_run),
      outputs_(std::move(outputs)),
      policy_(config.policy, installed),
      pace_(config.pace),
      marker_(root, log, dry_run),
      observer_(root),
      swap_memory_(root),
      owner_(root, log, std::move(outputs_.settings), dry_run),
      usage_recorder_(root, log, std::move(outputs_.history), dry_run),
      evictor_(factory_.make_evictor()),
      contributions_(root, log, *evictor_, dry_run) {
    owner_.set_parameters(config.giving);
}

Result<void> Daemon::start(const core::Moment& now) {
    owner_.restore(now);
    usage_recorder_.restore();
    restore_state();
    auto opened = open_adapters();
    if (!opened)
        return std::move(opened).error();
    adapters_ = *std::move(opened);
    log_.info("samples from " + adapters_->source->description());
    return {};
}

void Daemon::restore_state() {
    if (!outputs_.state)
        return;
    const auto text = outputs_.state->load();
    if (text && !*text)
        return;  // the first run
    auto restored = text ? policy_.restore_state(**text) : Result<void>(text.error());
    if (restored) {
        log_.info("goes on with what was learned before");
        return;
    }
    const Error why = text ? std::move(restored).error().with_context("what was learned before") : text.error();
    log_.warning(why.message() + "; the file is set aside, learning starts afresh");
    const auto aside = outputs_.state->set_aside();
    if (!aside)
        log_.warning(aside.error().message() + ", ignoring");
}

void Daemon::save_state() {
    usage_recorder_.save();
    if (!outputs_.state || dry_run_)
        return;
    const auto saved = outputs_.state->save(policy_.save_state());
    if (!saved)
        log_.error(saved.error().message() + "; what was learned will be lost when tmmd ends");
}

std::optional<core::Decision> Daemon::tick(const core::Moment& now) {
    auto row = step(now.awake);
    Result<void> done = row ? Result<void>() : Result<void>(row.error());
    if (row && *row) {
        latest_ = {(*row)->decision, (*row)->usage};
        expected_return_.reset();
    }
    usage_recorder_.tick(marker_.cgroups(), usage_in_force(), now);
    follow_will(now);
    if (done)
        done = enforce();
    if (!done) {
        fail(done.error());
        return std::nullopt;
    }
    if (!*row)
        return std::nullopt;
    if (!last_problem_.empty()) {
        log_.info("works again: " + given_.reason);
        last_problem_.clear();
    }
    usage_recorder_.decided(given_, now);
    (*row)->given = given_;
    publish(**row);
    return (*row)->decision;
}

void Daemon::fail(const Error& error) {
    // Dropping the source closes /dev/tmm: the kernel goes back to its safe defaults until all works again.
    adapters_.reset();
    written_.reset();
    if (error.message() != last_problem_)
        log_.error(error.message() + "; opaque memory is protected without limit until this works again");
    last_problem_ = error.message();
}

// What the owner wants of the latest decision. The limits follow with enforce().
void Daemon::follow_will(const core::Moment& now) {
    const core::GivingDecision before = given_;
    core::GivingInputs inputs;
    inputs.page_bytes = os::page_bytes();
    inputs.contributions = contributions_.any();
    if (latest_) {
        inputs.decision = latest_->decision;
        inputs.total = latest_->usage.total;
    }
    if (!std::isnan(usage_recorder_.stall()))
        inputs.stall = usage_recorder_.stall();
    if (inputs.contributions)
        read_swap(inputs);
    given_ = owner_.decide(std::move(inputs), now);
    expect_return();
    // What the policy does by itself is told elsewhere.
    const bool holds = given_.hold != core::Hold::none;
    if (given_.hold != before.hold || (holds && given_.reason != before.reason)) {
        usage_recorder_.decided(given_, now);
        log_.info(std::string(core::name_of(given_.kind)) + ": " + given_.reason);
    }
    contributions_.hold(given_.hold);
    contributions_.tick(now.awake);
    if (holds && (!last_held_discovery_ || now.awake - *last_held_discovery_ >= held_discovery_interval)) {
        discover_contributions();
        last_held_discovery_ = now.awake;
    }
}

// At each tick, for a contribution can fill memory faster than an epoch ends. What cannot be read is as if it were not there: the
// limits still hold, and stall is still looked at.
void Daemon::read_swap(core::GivingInputs& inputs) {
    const auto in_memory = swap_memory_.read();
    if (!in_memory || *in_memory == 0 || !adapters_)
        return;
    const auto usage = adapters_->sink->usage();
    if (!usage)
        return;
    inputs.swap_in_memory = *in_memory;
    inputs.total_now = usage->total;
}

Result<void> Daemon::spoken(Result<void> saved, const core::Moment& now) {
    follow_will(now);
    // Without adapters the kernel protects the owner by itself; the next tick tries again.
    if (adapters_) {
        if (auto enforced = enforce(); !enforced)
            fail(enforced.error());
    }
    if (!saved)
        log_.error(saved.error().message() + "; what the owner said counts until tmmd ends");
    return saved;
}

Result<void> Daemon::pause(std::optional<std::chrono::nanoseconds> length, const core::Moment& now) {
    return spoken(owner_.pause(length, now), now);
}

Result<void> Daemon::resume(const core::Moment& now) {
    return spoken(owner_.resume(now), now);
}

Result<void> Daemon::set_on(bool on, const core::Moment& now) {
    return spoken(owner_.set_on(on, now), now);
}

Result<void> Daemon::set_caps(const core::Caps& caps, const core::Moment& now) {
    return spoken(owner_.set_caps(caps, now), now);
}

void Daemon::discover_contributions() {
    marker_.update();
    contributions_.update(marker_.cgroups());
}

void Daemon::set_config(const config::Config& config) {
    if (config.sample_shift != config_.sample_shift)
        adapters_.reset();  // another sample: opened anew with the next tick
    config_ = config;
    policy_.set_parameters(config.policy);
    pace_.set_parameters(config.pace);
    owner_.set_parameters(config.giving);
}

Result<Daemon::Adapters> Daemon::open_adapters() const {
    auto sink = factory_.open_sink();
    if (!sink)
        return std::move(sink).error();
    auto source = factory_.open_source(config_);
    if (!source)
        return std::move(source).error();
    return Adapters{*std::move(source), *std::move(sink)};
}

// A row, or nothing if there was nothing to look at.
Result<std::optional<TimelineRow>> Daemon::step(core::TimePoint now) {
    if (!adapters_) {
        auto opened = open_adapters();
        if (!opened)
            return std::move(opened).error();
        adapters_ = *std::move(opened);
        restart_sampling();
        epoch_start_.reset();
    }
    const auto used = observer_.read_cpu_delta(marker_.cgroups());
    if (!used)
        return used.error();
    const core::TimePoint before = last_tick_.value_or(now);
    const core::Seconds elapsed(now - before);
    last_tick_ = now;
    const double activity = elapsed.count() > 0 ? *used / elapsed : 0.0;

    core::EpochSample seen;
    seen.scanned = false;
    if (epoch_start_ && !config_.epoch) {
        auto look = adapters_->source->poll_refaults();
        if (!look)
            return std::move(look).error();
        seen = *std::move(look);
    }
    // Who waits for missed pages uses no processor, and is not idle all the same.
    const bool misses = refaults_per_s(seen, elapsed) > config_.policy.ageing.noise_rate_per_s;
    const bool epoch_over =
        !epoch_start_ || config_.epoch || pace_.due(now - *epoch_start_, misses ? std::max(activity, 1.0) : activity);
    if (epoch_over && epoch_start_ && pace_.woken())
        seen.idle_before = before - *epoch_start_;
    if (!epoch_over && seen.refaults.empty())
        return std::optional<TimelineRow>();
    auto row = sample_and_decide(now, std::move(seen), epoch_over);
    if (!row)
        return std::move(row).error();
    return std::optional<TimelineRow>(*std::move(row));
}

// seen: the refaults since the last look, and whether it found that somebody is back.
Result<TimelineRow> Daemon::sample_and_decide(core::TimePoint now, core::EpochSample seen, bool epoch_over) {
    const core::Seconds cpu_before = factory_.own_cpu_time();
    if (epoch_over) {
        discover_contributions();
        auto sample = adapters_->source->sample();
        if (!sample)
            return std::move(sample).error();
        sample->refaults.insert(sample->refaults.end(), seen.refaults.begin(), seen.refaults.end());
        sample->idle_before = seen.idle_before;
        seen = *std::move(sample);
    }
    const auto usage = adapters_->sink->usage();
    if (!usage)
        return usage.error();
    const auto faults = observer_.complete(seen, marker_.cgroups());
    if (!faults)
        return faults.error();

    TimelineRow row;
    row.usage = *usage;
    const bool was_returning = policy_.returns().under_way();
    row.decision = policy_.step(seen, *usage, now);
    if (policy_.returns().under_way())
        usage_recorder_.returned(*faults, !was_returning);
    if (epoch_over) {
        record(seen, now);
        row.epoch = epoch_start_ ? core::Seconds(now - *epoch_start_) : core::Seconds(0);
        epoch_start_ = now;
        adapt_pace(row, cpu_before);
    }
    const core::Seconds length = last_decision_ ? core::Seconds(now - *last_decision_) : core::Seconds(0);
    if (length.count() > 0)
        row.opaque_faults_per_s = static_cast<double>(*faults) / length.count();
    last_decision_ = now;
    if (!first_epoch_)
        first_epoch_ = now;
    row.since_start = now - *first_epoch_;
    row.miss_latency = policy_.latency().mean();
    row.samples = policy_.known_samples();
    return row;
}

// cpu_before: what this process had used when the scan began.
void Daemon::adapt_pace(const TimelineRow& row, core::Seconds cpu_before) {
    const core::Seconds cpu_now = factory_.own_cpu_time();
    const core::Seconds looks = last_scan_cpu_ ? cpu_before - *last_scan_cpu_ : core::Seconds(0);
    last_scan_cpu_ = cpu_now;
    const core::Decision& decision = row.decision;
    pace_.epoch_ended({.length = row.epoch,
                       .footprint = decision.footprint,
                       .opaque_limit = decision.opaque_limit,
                       .busy = decision.busy,
                       .learning = decision.kind == core::DecisionKind::learning,
                       .cost = cpu_now - cpu_before,
                       .poll_cost = looks,
                       .samples = policy_.known_samples()});
    if (config_.sample_shift)
        return;
    const int change = pace_.take_rate_change();
    if (change == 0)
        return;
    adapters_->source->change_rate(change);
    restart_sampling();
    log_.info("samples from " + adapters_->source->description());
}

Result<void> Daemon::enforce() {
    const os::Limits limits{given_.opaque_limit, given_.transparent_limit};
    if (dry_run_ || !latest_ || written_ == limits)
        return {};
    auto result = adapters_->sink->write(limits);
    if (result)
        written_ = limits;
    return result;
}

void Daemon::restart_sampling() {
    policy_.restart_sampling();
    if (outputs_.recorder)
        outputs_.recorder->forget_pages();
}

void Daemon::record(const core::EpochSample& sample, core::TimePoint now) {
    if (!outputs_.recorder)
        return;
    const auto appended = outputs_.recorder->append(sample, now);
    if (!appended) {
        log_.error("recording: " + appended.error().message() + "; it ends here");
        outputs_.recorder.reset();
    }
}

void Daemon::publish(const TimelineRow& row) {
    const core::Decision& decision = row.decision;
    // Back from corrected to measured is no news.
    const bool news = decision.kind != last_kind_ &&
                      (last_kind_ == core::DecisionKind::learning || decision.kind == core::DecisionKind::corrected);
    if (news)
        log_.info(given_.reason);
    else
        log_.debug(given_.reason);
    last_kind_ = decision.kind;
    const core::TimePoint now = *last_decision_;
    if (decision.ageing == core::AgedHistogram::Outcome::aged && (!last_save_ || now - *last_save_ >= config_.save_period)) {
        save_state();
        last_save_ = now;
    }
    if (!outputs_.timeline)
        return;
    const auto appended = outputs_.timeline->append(row);
    if (!appended) {
        log_.error("timeline: " + appended.error().message() + "; it ends here");
        outputs_.timeline.reset();
    }
}

}  // namespace tmm::app
