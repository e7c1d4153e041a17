// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/daemon.hpp"

#include <utility>

#include "base/read_once.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/words/reason_text.hpp"

namespace tmm::app {

namespace {

// The histogram ages every ten minutes; a crash loses no more than that.
constexpr std::chrono::minutes save_period{10};

// What is lost without a part of a reading, by MachineReader::Part.
constexpr std::array<const char*, os::MachineReader::nr_parts> unread_consequences{
    "; faults after a return are not counted", "; refaults count as anonymous", "; the latency of misses stays as it was"};

core::TickParameters parameters_of(const config::Config& config) {
    return {.epochs = {.policy = config.policy,
                       .scan_always = config.epoch.has_value(),
                       .fixed_rate = config.sample_shift.has_value()},
            .giving = config.giving};
}

}  // namespace

Daemon::Daemon(const config::Config& config, const RootDir& root, const Log& log, const AdapterFactory& adapters,
               core::Pages installed, bool dry_run, Outputs outputs)
    : root_(root),
      log_(log),
      dry_run_(dry_run),
      config_(config),
      tick_(parameters_of(config), installed),
      reader_(root, adapters.own_cpu_time),
      kernel_(log, adapters, dry_run),
      keeper_(root, log, adapters.make_evictor(), dry_run),
      owner_(log, std::move(outputs.settings), dry_run),
      learned_(log, std::move(outputs.state), dry_run),
      usage_recorder_(log, std::move(outputs.history), dry_run),
      publisher_(log, std::move(outputs.timeline), std::move(outputs.recorder)),
      unread_{ProblemLog(log), ProblemLog(log), ProblemLog(log)},
      alarm_problem_(log) {}

Result<void> Daemon::start(const core::Moment& now) {
    owner_.restore(tick_, now);
    usage_recorder_.restore();
    learned_.restore(tick_);
    const auto opened = kernel_.open(config_);
    return opened ? Result<void>() : Result<void>(opened.error());
}

void Daemon::save_state() {
    usage_recorder_.save();
    learned_.save(tick_);
}

void Daemon::set_config(const config::Config& config) {
    if (config.sample_shift != config_.sample_shift)
        kernel_.close();  // another sample
    config_ = config;
    tick_.set_parameters(parameters_of(config));
    watched_ = false;
}

std::optional<core::Decision> Daemon::tick(const core::Moment& now) {
    const ReadOnce once(root_);
    learned_.take_result();
    const auto reading = read_second(now);
    const core::Wanted& wanted = step(reading ? *reading : reader_.read(surroundings(now, false), nullptr));
    const auto applied = reading ? apply(wanted) : Result<void>(reading.error());
    if (!applied) {
        kernel_.fail(applied.error());
        return std::nullopt;
    }
    if (soft_)
        soft_->grant(wanted.soft, wanted.soft_urgent);
    if (!wanted.step)
        return std::nullopt;
    if (kernel_.works())
        log_.info("works again: " + words::sentence(wanted.given.reason, os::page_bytes()));
    publish(wanted, *reading);
    return wanted.step->decision;
}

os::Surroundings Daemon::surroundings(const core::Moment& now, bool alarm) const {
    return {.now = now,
            .transparent_cgroups = keeper_.cgroups(),
            .uncounted = keeper_.uncounted(),
            .contributions = keeper_.contributions().any(),
            .evicting = keeper_.contributions().evicting(),
            .alarm = alarm,
            .asks = tick_.wanted().asks};
}

Result<core::Reading> Daemon::read_second(const core::Moment& now) {
    const auto opened = kernel_.open(config_);
    if (!opened)
        return opened.error();
    if (*opened) {
        tick_.restart();
        reader_.source_opened();
        publisher_.forget_pages();
    }
    if (keeper_.follow(now.awake) || !watched_)
        watch_stalls();
    kernel_.source().follow(keeper_.cgroups());
    auto reading = reader_.read_second(surroundings(now, false), tick_.wanted().scan, kernel_.source(), kernel_.sink());
    for (std::size_t part = 0; part < unread_.size(); ++part)
        unread_[part].warn(reader_.problem(static_cast<os::MachineReader::Part>(part)), unread_consequences[part]);
    if (reading && soft_) {
        soft_->serve(now.awake);
        reading->soft = soft_->heaps(now.awake);
    }
    return reading;
}

// Has the tick decide, and holds contributions accordingly: that comes before all else.
const core::Wanted& Daemon::step(const core::Reading& reading) {
    const core::GivingDecision before = tick_.wanted().given;
    const core::Wanted& wanted = tick_.step(reading);
    const core::GivingDecision& given = wanted.given;
    // publish() logs the policy's own decisions.
    const bool holds = given.hold != core::Hold::none;
    if (given.hold != before.hold || (holds && !core::alike(given.reason, before.reason))) {
        usage_recorder_.decided(given, reading.now);
        log_.info(std::string(core::name_of(given.kind)) + ": " + words::sentence(given.reason, os::page_bytes()));
    }
    if (reading.second || !kernel_.is_open())
        usage_recorder_.tick(usage_in_force(), reading.stall, reading.now);
    keeper_.tick(given, reading.now.awake);
    return wanted;
}

// Limits wait for the policy's first decision.
Result<void> Daemon::apply(const core::Wanted& wanted) {
    auto applied = tick_.latest() ? kernel_.apply(wanted, keeper_.cgroups()) : Result<void>();
    if (applied && wanted.rate_change != 0)
        change_rate(wanted.rate_change);
    return applied;
}

void Daemon::change_rate(int change) {
    if (!kernel_.source().change_rate(change))
        return;
    reader_.rate_changed();
    publisher_.forget_pages();
    log_.info("samples from " + kernel_.source().description());
}

void Daemon::publish(const core::Wanted& wanted, const core::Reading& reading) {
    const core::PolicyStep& step = *wanted.step;
    if (step.source_changed) {
        publisher_.forget_pages();
        log_.info("samples from " + kernel_.source().description());
    }
    if (wanted.scanned)
        publisher_.record(reading.second->sample, reading.now.awake);
    if (step.return_faults)
        usage_recorder_.returned(*step.return_faults, step.return_begins);
    usage_recorder_.decided(wanted.given, reading.now);
    publisher_.publish({step, reading.now.wall, wanted.given});
    if (step.decision.ageing == core::AgedHistogram::Outcome::aged)
        learned_.save_if_due(tick_, reading.now.awake, save_period);
}

// Has the kernel tell of stalls, while there are contributions to freeze.
void Daemon::watch_stalls() {
    watched_ = true;
    const auto max_stall = config_.giving.pressure.max_stall;
    if (dry_run_ || !max_stall || !keeper_.contributions().any()) {
        reader_.alarm().close();
        return;
    }
    constexpr core::Seconds window = core::StallSigns::alarm_window;
    const auto followed = reader_.alarm().follow(keeper_.cgroups(), core::StallClamp::share_of(*max_stall) * window, window);
    alarm_problem_.warn(followed ? "" : followed.error().message(),
                        "; contributions are frozen later, if at all, when opaque programs wait for memory (tmmctl doctor)");
}

void Daemon::take_alarm(std::span<const pollfd> reports, const core::Moment& now) {
    if (reader_.alarm().take(reports))
        settle(now, true);
}

// Takes a step between two ticks. Without adapters no limit is in force; the next tick tries again.
void Daemon::settle(const core::Moment& now, bool alarm) {
    os::LimitSink* const sink = kernel_.is_open() ? &kernel_.sink() : nullptr;
    const core::Wanted& wanted = step(reader_.read(surroundings(now, alarm), sink));
    if (!kernel_.is_open())
        return;
    if (const auto applied = apply(wanted); !applied)
        kernel_.fail(applied.error());
}

Result<void> Daemon::apply_command(const core::OwnerCommand& command, const core::Moment& now) {
    tick_.apply(command, now);
    settle(now, false);
    // Comes last: a pause must not wait for a busy disk.
    Result<void> saved = owner_.save(tick_, now);
    if (!saved)
        log_.error(saved.error().message() + "; the owner's command is in force until tmmd ends");
    return saved;
}

// Returns nothing before the first decision, and while no limit is in force.
std::optional<core::Usage> Daemon::usage_in_force() const {
    if (!tick_.latest() || !kernel_.in_force())
        return std::nullopt;
    const auto bytes = [](core::Pages pages) { return core::to_bytes(pages, os::page_bytes()).as_double(); };
    const core::MemoryUsage& usage = *tick_.wanted().memory;
    return core::Usage{.opaque = bytes(usage.opaque),
                       .transparent = bytes(usage.transparent),
                       .free = bytes(free_pages(usage)),
                       .opaque_limit = bytes(kernel_.in_force()->opaque),
                       .transparent_limit = bytes(kernel_.in_force()->transparent)};
}

Condition Daemon::condition() const {
    const std::string& problem = kernel_.problem();
    const bool trouble = !problem.empty();
    return {.trouble = trouble,
            .no_kernel = trouble && kernel_.is_missing(),
            .under_pressure = !trouble && tick_.wanted().given.under_pressure,
            .reason = trouble ? problem : words::sentence(tick_.wanted().given.reason, os::page_bytes())};
}

}  // namespace tmm::app
