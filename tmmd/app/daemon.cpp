// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/daemon.hpp"

#include <sys/random.h>

#include <cerrno>

#include "tmmd/os/memory_info.hpp"
#include "tmmd/os/sysfs_limits.hpp"
#include "tmmd/os/tmm_device.hpp"
#include "tmmd/os/tmm_sample_source.hpp"
#include "tmmd/os/transparent_cgroups.hpp"

namespace tmm::app {

namespace {

// Which page of each block is looked at must not be guessable by programs that would like to hide from it.
Result<std::uint64_t> random_seed() {
    std::uint64_t seed = 0;
    if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed))
        return Error::from_errno(errno, "getrandom");
    return seed;
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
    return factory;
}

Daemon::Daemon(const Config& config, const RootDir& root, const Log& log, AdapterFactory adapters, core::Pages installed,
               bool dry_run, std::optional<Timeline> timeline)
    : config_(config),
      root_(root),
      log_(log),
      factory_(std::move(adapters)),
      dry_run_(dry_run),
      timeline_(std::move(timeline)),
      policy_(config.policy, installed),
      misses_(root) {}

Result<void> Daemon::start() {
    auto opened = open_adapters();
    if (!opened)
        return std::move(opened).error();
    adapters_ = *std::move(opened);
    log_.info("samples from " + adapters_->source->description());
    return {};
}

std::optional<core::Decision> Daemon::run_epoch(core::TimePoint now) {
    auto row = sample_and_decide(now);
    Result<void> done = row ? enforce(row->decision) : Result<void>(row.error());
    if (!done) {
        // Dropping the source closes /dev/tmm: the kernel goes back to its safe defaults until all works again.
        adapters_.reset();
        written_.reset();
        if (done.error().message() != last_problem_)
            log_.error(done.error().message() + "; opaque memory is protected without limit until this works again");
        last_problem_ = done.error().message();
        return std::nullopt;
    }
    if (!last_problem_.empty()) {
        log_.info("works again: " + row->decision.reason);
        last_problem_.clear();
    }
    tell(*row);
    return row->decision;
}

void Daemon::set_config(const Config& config) {
    if (config.sample_shift != config_.sample_shift)
        adapters_.reset();  // another sample: opened anew with the next epoch
    config_ = config;
    policy_.set_parameters(config.policy);
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

Result<TimelineRow> Daemon::sample_and_decide(core::TimePoint now) {
    if (!adapters_) {
        auto opened = open_adapters();
        if (!opened)
            return std::move(opened).error();
        adapters_ = *std::move(opened);
        policy_.restart_sampling();
    }
    const std::vector<std::string> transparent = mark_transparent_cgroups();
    const auto faults = misses_.count(transparent);
    if (!faults)
        return faults.error();
    const auto usage = adapters_->sink->usage();
    if (!usage)
        return usage.error();
    const auto sample = adapters_->source->sample();
    if (!sample)
        return sample.error();

    TimelineRow row;
    row.usage = *usage;
    row.decision = policy_.step(*sample, *usage, now);
    const core::Seconds length = last_epoch_ ? core::Seconds(now - *last_epoch_) : core::Seconds(0);
    if (length.count() > 0)
        row.opaque_faults_per_s = static_cast<double>(*faults) / length.count();
    if (!first_epoch_)
        first_epoch_ = now;
    row.since_start = now - *first_epoch_;
    last_epoch_ = now;
    return row;
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

std::vector<std::string> Daemon::mark_transparent_cgroups() {
    std::string problem;
    auto found = os::find_transparent_cgroups(root_);
    std::vector<std::string> cgroups;
    if (found)
        cgroups = *std::move(found);
    else
        problem = found.error().message();
    if (!dry_run_) {
        for (const std::string& cgroup : cgroups) {
            const os::MarkResult mark = os::mark_transparent(root_, cgroup);
            if (mark.newly_marked)
                log_.info("transparent from now on: " + root_.name_of(cgroup));
            if (!mark.problem.empty())
                problem = mark.problem;
        }
    }
    if (problem != last_marking_problem_ && !problem.empty())
        log_.warning("contributions cannot be told from the owner's applications: " + problem);
    last_marking_problem_ = problem;
    return cgroups;
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
    if (!timeline_)
        return;
    const auto appended = timeline_->append(row);
    if (!appended) {
        log_.error("timeline: " + appended.error().message() + "; it ends here");
        timeline_.reset();
    }
}

}  // namespace tmm::app
