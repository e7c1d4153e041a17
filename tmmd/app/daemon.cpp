// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/daemon.hpp"

#include <sys/random.h>
#include <time.h>

#include <algorithm>
#include <cerrno>

#include "tmmd/os/memory_info.hpp"
#include "tmmd/os/sysfs_limits.hpp"
#include "tmmd/os/tmm_device.hpp"
#include "tmmd/os/tmm_sample_source.hpp"

namespace tmm::app {

namespace {

// Which page of each block is looked at must not be guessable by programs that would like to hide from it.
Result<std::uint64_t> random_seed() {
    std::uint64_t seed = 0;
    if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed))
        return Error::from_errno(errno, "getrandom");
    return seed;
}

double refaults_per_s(const core::EpochSample& sample, core::Seconds elapsed) {
    core::Pages pages = 0;
    for (const core::Refault& refault : sample.refaults)
        pages += refault.pages;
    return elapsed.count() > 0 ? static_cast<double>(pages) / elapsed.count() : 0.0;
}

core::Seconds own_cpu_time() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace

AdapterFactory kernel_adapters(const RootDir& root) {
    AdapterFactory factory;
    factory.open_source = [&root](const Config& config) -> Result<std::unique_ptr<os::SampleSource>> {
        auto device = os::TmmDevice::open(root);
        if (!device)
            return std::move(device).error();
        const auto installed = os::read_installed_pages(root);
        if (!installed)
            return installed.error();
        const auto seed = random_seed();
        if (!seed)
            return seed.error();
        const std::uint32_t shift = config.sample_shift.value_or(os::sample_shift_for(*installed));
        return std::unique_ptr<os::SampleSource>(
            std::make_unique<os::TmmSampleSource>(std::make_unique<os::TmmDevice>(*std::move(device)), shift, *seed));
    };
    factory.open_sink = [&root]() -> Result<std::unique_ptr<os::LimitSink>> {
        auto limits = os::SysfsLimits::open(root);
        if (!limits)
            return std::move(limits).error();
        return std::unique_ptr<os::LimitSink>(std::make_unique<os::SysfsLimits>(*std::move(limits)));
    };
    factory.own_cpu_time = own_cpu_time;
    return factory;
}

Daemon::Daemon(const Config& config, const RootDir& root, const Log& log, AdapterFactory adapters, core::Pages installed,
               bool dry_run, Records records)
    : config_(config),
      root_(root),
      log_(log),
      factory_(std::move(adapters)),
      dry_run_(dry_run),
      records_(std::move(records)),
      policy_(config.policy, installed),
      pace_(config.pace),
      marker_(root, log, dry_run),
      surroundings_(root) {}

Result<void> Daemon::start() {
    auto opened = open_adapters();
    if (!opened)
        return std::move(opened).error();
    adapters_ = *std::move(opened);
    log_.info("samples from " + adapters_->source->description());
    restore_state();
    return {};
}

void Daemon::restore_state() {
    if (!records_.state)
        return;
    const auto text = records_.state->load();
    if (text && !*text)
        return;  // the first run
    auto restored = text ? policy_.restore_state(**text) : Result<void>(text.error());
    if (restored) {
        log_.info("goes on with what was learned before");
        return;
    }
    const Error why = text ? std::move(restored).error().with_context("what was learned before") : text.error();
    log_.warning(why.message() + "; the file is set aside, learning starts afresh");
    const auto aside = records_.state->set_aside();
    if (!aside)
        log_.warning(aside.error().message() + ", ignoring");
}

void Daemon::save_state() {
    if (!records_.state || dry_run_)
        return;
    const auto saved = records_.state->save(policy_.save_state());
    if (!saved)
        log_.error(saved.error().message() + "; what was learned will be lost when tmmd ends");
}

std::optional<core::Decision> Daemon::tick(core::TimePoint now) {
    auto row = step(now);
    Result<void> done = !row ? Result<void>(row.error()) : *row ? enforce((*row)->decision) : Result<void>();
    if (!done) {
        // Dropping the source closes /dev/tmm: the kernel goes back to its safe defaults until all works again.
        adapters_.reset();
        written_.reset();
        if (done.error().message() != last_problem_)
            log_.error(done.error().message() + "; opaque memory is protected without limit until this works again");
        last_problem_ = done.error().message();
        return std::nullopt;
    }
    if (!*row)
        return std::nullopt;
    if (!last_problem_.empty()) {
        log_.info("works again: " + (*row)->decision.reason);
        last_problem_.clear();
    }
    tell(**row);
    return (*row)->decision;
}

void Daemon::set_config(const Config& config) {
    if (config.sample_shift != config_.sample_shift)
        adapters_.reset();  // another sample: opened anew with the next tick
    config_ = config;
    policy_.set_parameters(config.policy);
    pace_.set_parameters(config.pace);
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
    const auto used = surroundings_.take_cpu(marker_.cgroups());
    if (!used)
        return used.error();
    const core::Seconds elapsed = last_tick_ ? core::Seconds(now - *last_tick_) : core::Seconds(0);
    last_tick_ = now;
    const double activity = elapsed.count() > 0 ? *used / elapsed : 0.0;

    core::EpochSample seen;
    seen.scanned = false;
    if (epoch_start_ && !config_.epoch) {
        auto look = adapters_->source->look();
        if (!look)
            return std::move(look).error();
        seen = *std::move(look);
    }
    // Who waits for missed pages uses no processor, and is not idle all the same.
    const bool misses = refaults_per_s(seen, elapsed) > config_.policy.ageing.noise_rate_per_s;
    const bool epoch_over =
        !epoch_start_ || config_.epoch || pace_.due(now - *epoch_start_, misses ? std::max(activity, 1.0) : activity);
    if (!epoch_over && seen.refaults.empty())
        return std::optional<TimelineRow>();
    auto row = sample_and_decide(now, std::move(seen), epoch_over);
    if (!row)
        return std::move(row).error();
    return std::optional<TimelineRow>(*std::move(row));
}

// seen: the refaults since the last look.
Result<TimelineRow> Daemon::sample_and_decide(core::TimePoint now, core::EpochSample seen, bool epoch_over) {
    const core::Seconds cpu_before = factory_.own_cpu_time();
    if (epoch_over) {
        marker_.update();
        auto sample = adapters_->source->sample();
        if (!sample)
            return std::move(sample).error();
        sample->refaults.insert(sample->refaults.end(), seen.refaults.begin(), seen.refaults.end());
        seen = *std::move(sample);
    }
    const auto usage = adapters_->sink->usage();
    if (!usage)
        return usage.error();
    const auto faults = surroundings_.complete(seen, marker_.cgroups());
    if (!faults)
        return faults.error();

    TimelineRow row;
    row.usage = *usage;
    row.decision = policy_.step(seen, *usage, now);
    if (epoch_over) {
        record(seen, now);
        row.epoch = epoch_start_ ? core::Seconds(now - *epoch_start_) : core::Seconds(0);
        epoch_start_ = now;
        adapt_pace(row, factory_.own_cpu_time() - cpu_before);
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

void Daemon::adapt_pace(const TimelineRow& row, core::Seconds cost) {
    const core::Decision& decision = row.decision;
    pace_.epoch_ended({.length = row.epoch,
                       .footprint = decision.footprint,
                       .opaque_limit = decision.opaque_limit,
                       .busy = decision.busy,
                       .learning = decision.kind == core::DecisionKind::learning,
                       .cost = cost,
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

Result<void> Daemon::enforce(const core::Decision& decision) {
    const os::Limits limits{decision.opaque_limit, decision.transparent_limit};
    if (dry_run_ || written_ == limits)
        return {};
    auto result = adapters_->sink->write(limits);
    if (result)
        written_ = limits;
    return result;
}

void Daemon::restart_sampling() {
    policy_.restart_sampling();
    if (records_.recorder)
        records_.recorder->forget_pages();
}

void Daemon::record(const core::EpochSample& sample, core::TimePoint now) {
    if (!records_.recorder)
        return;
    const auto appended = records_.recorder->append(sample, now);
    if (!appended) {
        log_.error("recording: " + appended.error().message() + "; it ends here");
        records_.recorder.reset();
    }
}

void Daemon::tell(const TimelineRow& row) {
    const core::Decision& decision = row.decision;
    // Back from corrected to measured is no news.
    const bool news = decision.kind != last_kind_ &&
                      (last_kind_ == core::DecisionKind::learning || decision.kind == core::DecisionKind::corrected);
    if (news)
        log_.info(decision.reason);
    else
        log_.debug(decision.reason);
    last_kind_ = decision.kind;
    const core::TimePoint now = *last_decision_;
    if (decision.ageing == core::AgedHistogram::Outcome::aged && (!last_save_ || now - *last_save_ >= config_.save_period)) {
        save_state();
        last_save_ = now;
    }
    if (!records_.timeline)
        return;
    const auto appended = records_.timeline->append(row);
    if (!appended) {
        log_.error("timeline: " + appended.error().message() + "; it ends here");
        records_.timeline.reset();
    }
}

}  // namespace tmm::app
