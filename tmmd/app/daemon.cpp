// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/daemon.hpp"

#include <cerrno>
#include <cmath>
#include <utility>

#include "tmmd/os/counters/memory_info.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/os/protection/contributed_memory.hpp"
#include "tmmd/words/reason_text.hpp"

namespace tmm::app {

namespace {

// The histogram ages every ten minutes; a crash loses no more than that.
constexpr std::chrono::minutes save_period{10};

// Needs that are older protect the wrong memory (experiments/02-days). Telling them walks all cgroups.
constexpr std::chrono::seconds needs_period{10};

}  // namespace

Daemon::Daemon(const config::Config& config, const RootDir& root, const Log& log, AdapterFactory adapters, core::Pages installed,
               bool dry_run, Outputs outputs)
    : config_(config),
      root_(root),
      log_(log),
      factory_(std::move(adapters)),
      dry_run_(dry_run),
      stepper_(config, root, log, installed, factory_.own_cpu_time),
      learned_(log, std::move(outputs.state), dry_run),
      owner_(root, log, std::move(outputs.settings), dry_run),
      keeper_(root, log, factory_.make_evictor(), dry_run),
      return_reader_(root, log, dry_run ? std::unique_ptr<os::SwapReader>() : factory_.make_swap_reader()),
      swap_memory_(root),
      alarm_(root),
      usage_recorder_(root, log, std::move(outputs.history), dry_run),
      publisher_(log, std::move(outputs.timeline), std::move(outputs.recorder)),
      problem_(log),
      enforcement_(log),
      needs_problem_(log),
      sort_problem_(log),
      alarm_problem_(log),
      evict_problem_(log),
      lost_source_(log) {
    owner_.set_parameters(config.giving);
}

Result<void> Daemon::start(const core::Moment& now) {
    owner_.restore(now);
    usage_recorder_.restore();
    learned_.restore(stepper_);
    auto opened = factory_.open(config_);
    if (!opened)
        return std::move(opened).error();
    adapters_ = *std::move(opened);
    return {};
}

void Daemon::save_state() {
    usage_recorder_.save();
    learned_.save(stepper_);
}

void Daemon::set_config(const config::Config& config) {
    if (config.sample_shift != config_.sample_shift)
        adapters_.reset();  // another sample: the next tick opens the adapters again
    config_ = config;
    stepper_.set_config(config);
    owner_.set_parameters(config.giving);
    watched_ = false;
}

std::optional<core::Decision> Daemon::tick(const core::Moment& now) {
    learned_.take_result();
    auto step = step_epoch(now);
    // Before the limits: if these fall first, the kernel takes what is needed from under older protections.
    if (step)
        tell_needs(now);
    if (step && *step)
        sort_pages((*step)->sample);
    usage_recorder_.tick(keeper_.cgroups(), usage_in_force(), now);
    follow_settings(now, false);
    const Result<void> done = step ? write_limits() : Result<void>(step.error());
    if (!done) {
        close_adapters(done.error());
        return std::nullopt;
    }
    if (!*step)
        return std::nullopt;
    if (problem_.solve())
        log_.info("works again: " + words::sentence(given_.reason, os::page_bytes()));
    publish(**std::move(step), now);
    return latest_->decision;
}

// Returns nothing if no decision is due.
Result<std::optional<EpochStep>> Daemon::step_epoch(const core::Moment& now) {
    if (!adapters_) {
        auto opened = factory_.open(config_);
        if (!opened)
            return std::move(opened).error();
        adapters_ = *std::move(opened);
        told_needs_.reset();
        stepper_.restart();
        publisher_.forget_pages();
    }
    auto poll = stepper_.poll(*adapters_, keeper_.cgroups(), attended(now), now.awake);
    if (!poll)
        return std::move(poll).error();
    if (keeper_.follow(now.awake) || !watched_)
        watch_stalls();
    if (auto followed = adapters_->sink->follow(keeper_.cgroups()); !followed)
        return std::move(followed).error();
    adapters_->source->follow(keeper_.cgroups());
    enforcement_.warn(adapters_->sink->problem());
    if (!poll->needs_decision()) {
        // Contributions come and go within an epoch, and people are told.
        if (latest_ && poll->usage)
            latest_->usage = *poll->usage;
        return std::optional<EpochStep>();
    }
    auto step = stepper_.step(*adapters_, keeper_.cgroups(), *std::move(poll), now.awake);
    if (!step)
        return std::move(step).error();
    latest_ = {step->row.decision, step->row.usage};
    if (step->return_faults)
        usage_recorder_.returned(*step->return_faults, step->return_begins);
    lost_source_.warn(adapters_->source->problem());
    if (step->source_changed)
        publisher_.forget_pages();
    if (step->sample.scanned) {
        scanned_ = true;
        publisher_.record(step->sample, now.awake);
    }
    if (step->rate_changed)
        publisher_.forget_pages();
    if (step->source_changed || step->rate_changed)
        log_.info("samples from " + adapters_->source->description());
    return std::optional<EpochStep>(*std::move(step));
}

// Tells the sink the memory that each cgroup keeps, as of the last scan. It matters once contributions have memory.
void Daemon::tell_needs(const core::Moment& now) {
    const bool due = scanned_ && (!told_needs_ || now.awake - *told_needs_ >= needs_period);
    if (dry_run_ || !due)
        return;
    const auto usage = adapters_->sink->usage();
    if (!usage || (usage->transparent == core::Pages(0) && !told_needs_))
        return;
    const std::vector<core::CgroupKeeps> kept = stepper_.policy().protected_by_cgroup();
    if (kept.empty() && !told_needs_)
        return;
    scanned_ = false;
    told_needs_ = now.awake;
    const auto told = adapters_->sink->protect_first(kept);
    needs_problem_.warn(told ? "" : told.error().message(), "; the owner's cgroups keep the protection that they had");
}

// Has the kernel sort the pages of the cgroups that keep some, so that they keep the right ones. It does so without
// contributions, too: when one comes, it is too late.
void Daemon::sort_pages(const core::EpochSample& sample) {
    attended_ += sample.attended;
    if (dry_run_ || !sample.scanned || !adapters_->source->leaves_ageing())
        return;
    const auto due = sort_pace_.take_due(stepper_.policy().kept_by_cgroup(), std::exchange(attended_, core::Seconds(0)));
    if (due.empty())
        return;
    // The multi-gen LRU may have been switched on, or debugfs mounted, since the last time.
    if (!adapters_->sorter)
        adapters_->sorter = factory_.open_sorter();
    if (!adapters_->sorter)
        return;
    const auto sorted = adapters_->sorter->sort(due);
    sort_problem_.warn(sorted ? "" : sorted.error().message(), "; programs in use may lose memory before others of their cgroup");
}

// Returns nothing where nothing tells of people.
std::optional<bool> Daemon::attended(const core::Moment& now) {
    const auto idle_for = owner_.idle_for(now);
    return idle_for ? std::optional(*idle_for < config_.giving.idle_after) : std::nullopt;
}

void Daemon::publish(EpochStep step, const core::Moment& now) {
    usage_recorder_.decided(given_, now);
    step.row.given = given_;
    step.row.wall = now.wall;
    publisher_.publish(step.row);
    if (step.row.decision.ageing == core::AgedHistogram::Outcome::aged)
        learned_.save_if_due(stepper_, now.awake, save_period);
}

// Closing the source closes /dev/tmm: the kernel keeps its safe defaults until all works again. Without the patches, the sink
// restores the settings of cgroups.
void Daemon::close_adapters(const Error& error) {
    adapters_.reset();
    written_.reset();
    no_kernel_ = error.code() == ENODEV;
    problem_.error(error.message(), "; no limit is in force until this works again");
}

// Has the kernel tell of stalls, while there are contributions to freeze.
void Daemon::watch_stalls() {
    watched_ = true;
    const auto max_stall = config_.giving.pressure.max_stall;
    if (dry_run_ || !max_stall || !keeper_.contributions().any()) {
        alarm_.close();
        return;
    }
    constexpr core::Seconds window = core::StallSigns::alarm_window;
    const auto followed = alarm_.follow(keeper_.cgroups(), core::StallClamp::share_of(*max_stall) * window, window);
    alarm_problem_.warn(followed ? "" : followed.error().message(),
                        "; contributions are frozen later, if at all, when opaque programs wait for memory (tmmctl doctor)");
}

void Daemon::take_alarm(std::span<const pollfd> reports, const core::Moment& now) {
    if (alarm_.take(reports))
        settle(now, true);
}

// Does at once that part of a tick which follows the owner's settings.
void Daemon::settle(const core::Moment& now, bool alarm) {
    follow_settings(now, alarm);
    // Without adapters no limit is in force; the next tick tries again.
    if (!adapters_)
        return;
    if (const auto done = write_limits(); !done)
        close_adapters(done.error());
}

core::GivingInputs Daemon::giving_inputs(bool alarm) {
    core::GivingInputs inputs;
    inputs.page_bytes = os::page_bytes();
    inputs.contributions = keeper_.contributions().any();
    if (latest_) {
        inputs.decision = latest_->decision;
        inputs.total = latest_->usage.total;
    }
    if (!std::isnan(usage_recorder_.stall()))
        inputs.stall = usage_recorder_.stall();
    inputs.evicting = keeper_.contributions().evicting();
    inputs.signs.alarm = alarm;
    inputs.signs.opaque_only = alarm_.opaque_only();
    // The machine's alarm needs the count of the tick before, to tell whose it is.
    const bool ambiguous = !alarm_.files().empty() && !inputs.signs.opaque_only;
    if (alarm || ambiguous || owner_.giving().asks_for_waited())
        inputs.signs.waited = alarm_.waited(keeper_.cgroups());
    if (inputs.contributions)
        read_memory(inputs);
    return inputs;
}

// Reads at each tick, since a contribution can fill memory faster than an epoch ends. Unreadable counters count as no swap, and
// as no lack of memory: the limits still hold, and the stall is still measured.
void Daemon::read_memory(core::GivingInputs& inputs) {
    const auto in_memory = swap_memory_.read();
    inputs.swap = in_memory ? *in_memory : core::SwapInMemory();
    const bool asked = inputs.signs.alarm || owner_.giving().asks_for_usage() || return_reader_.asks_for_usage();
    if (!adapters_ || (inputs.swap.taken == core::Pages(0) && !asked))
        return;
    const auto usage = adapters_->sink->usage();
    if (!usage) {
        inputs.swap = {};
        return;
    }
    inputs.usage = *usage;
    if (inputs.swap.taken == core::Pages(0))
        return;
    const auto files = os::read_file_pages(root_);
    inputs.files = files ? *files : core::Pages(0);
    inputs.swap.contributed = os::read_contributed_swap(root_, keeper_.cgroups());
}

// Applies the owner's settings to the latest decision, and holds contributions accordingly. write_limits() follows.
void Daemon::follow_settings(const core::Moment& now, bool alarm) {
    const core::GivingInputs inputs = giving_inputs(alarm);
    const core::GivingDecision before = std::exchange(given_, owner_.decide(inputs, now));
    // publish() logs the policy's own decisions.
    const bool holds = given_.hold != core::Hold::none;
    if (given_.hold != before.hold || (holds && !core::alike(given_.reason, before.reason))) {
        usage_recorder_.decided(given_, now);
        log_.info(std::string(core::name_of(given_.kind)) + ": " + words::sentence(given_.reason, os::page_bytes()));
    }
    if (given_.evict_gave_up)
        evict_problem_.warn("contributions' memory was not evicted within a minute: their swap hangs or is very slow",
                            "; contributions no longer wait for it");
    keeper_.tick(given_.hold, now.awake);
    const core::Pages evict = given_.evict + read_back(inputs, now);
    if (evict == core::Pages(0))
        return;
    const auto evicts = keeper_.contributions().evict_held(core::to_bytes(evict, os::page_bytes()));
    evict_problem_.warn(evicts ? "" : evicts.error().message());
}

// Returns the pages that contributions are to lose for it.
core::Pages Daemon::read_back(const core::GivingInputs& inputs, const core::Moment& now) {
    const bool evicting = inputs.evicting || given_.evict > core::Pages(0);
    return return_reader_.tick({.idle_for = owner_.idle_for(now),
                                .held = given_.hold == core::Hold::freeze,
                                .evicting = evicting,
                                .usage = inputs.usage},
                               keeper_.cgroups(), stepper_.policy().latency(), now.awake);
}

Result<void> Daemon::write_limits() {
    const os::Limits limits{given_.opaque_limit, given_.transparent_limit, given_.swap_growth, given_.evicting_frees};
    if (dry_run_ || !latest_ || written_ == limits)
        return {};
    auto result = adapters_->sink->write(limits);
    if (result)
        written_ = limits;
    return result;
}

Result<void> Daemon::apply_command(const core::OwnerCommand& command, const core::Moment& now) {
    owner_.apply_command(command, now);
    settle(now, false);
    // Comes last: a pause must not wait for a busy disk.
    Result<void> saved = owner_.save(now);
    if (!saved)
        log_.error(saved.error().message() + "; the owner's command is in force until tmmd ends");
    return saved;
}

}  // namespace tmm::app
