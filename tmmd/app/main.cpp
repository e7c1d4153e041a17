// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// tmmd(8): connects configuration, adapters, policy and event loop.
#include <systemd/sd-daemon.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "base/log/log.hpp"
#include "tmmd/app/bus_model.hpp"
#include "tmmd/app/contributions/contributions.hpp"
#include "tmmd/app/daemon.hpp"
#include "tmmd/app/kernel/helpers.hpp"
#include "tmmd/app/kernel/sources.hpp"
#include "tmmd/app/options.hpp"
#include "tmmd/app/outputs.hpp"
#include "tmmd/app/reporting/notices.hpp"
#include "tmmd/app/time/clocks.hpp"
#include "tmmd/app/time/event_loop.hpp"
#include "tmmd/app/time/watchdog.hpp"
#include "tmmd/bus/service.hpp"
#include "tmmd/config/config.hpp"
#include "tmmd/os/cgroup/peer_user.hpp"
#include "tmmd/os/limits/saved_knobs.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/os/reading/counters/memory_info.hpp"
#include "tmmd/words/reason_text.hpp"

namespace tmm::app {
namespace {

// Opens the directory from which a path, absolute or relative, starts.
Result<RootDir> open_root_of(const std::string& path) {
    return RootDir::open(path.empty() || path.starts_with('/') ? "/" : ".");
}

Result<config::Config> read_config(const Options& options) {
    // A file that the user names must exist.
    const bool may_be_missing = options.config_path.empty();
    const std::string path = may_be_missing ? config::default_config_path : options.config_path;
    const auto root = open_root_of(path);
    if (!root)
        return root.error();
    auto entries = read_ini_with_dropins(*root, path, may_be_missing);
    if (!entries)
        return std::move(entries).error();
    return config::make_config(*entries);
}

int fail(const Log& log, const Error& error) {
    log.error(error.message());
    return EXIT_FAILURE;
}

// In a time-lapse there are more ticks a second, but no more than a busy machine has time for.
std::chrono::nanoseconds tick_interval(const config::Config& config, const TimeLapse& lapse) {
    constexpr std::chrono::nanoseconds min_interval = std::chrono::milliseconds(100);
    const std::chrono::nanoseconds tick = config.tick();
    return std::max(tick / lapse.factor(), std::min(tick, min_interval));
}

void reload(const Options& options, const Log& log, Clocks& clocks, Daemon& daemon, EventLoop& loop) {
    ::sd_notify(0, "RELOADING=1");
    if (clocks.lapse().factor() != 1) {
        clocks.end_time_lapse();
        log.info("the time-lapse ends");
    }
    const auto config = read_config(options);
    if (!config) {
        log.error(config.error().message() + "; the old configuration stays");
    } else {
        daemon.set_config(*config);
        const auto set = loop.set_interval(tick_interval(*config, clocks.lapse()));
        log.info(set ? "reloaded the configuration" : set.error().message());
    }
    ::sd_notify(0, "READY=1");
}

// Returns the time in which systemd expects a notice; nothing if it expects none.
std::optional<std::chrono::nanoseconds> watchdog_waits() {
    std::uint64_t us = 0;
    return ::sd_watchdog_enabled(0, &us) > 0 ? std::optional(std::chrono::microseconds(us)) : std::nullopt;
}

// One tick: the daemon does its work, then the bus publishes it.
void tick(const Options& options, Clocks& clocks, Daemon& daemon, std::optional<bus::Service>& service, Notices& notices) {
    const auto decision = daemon.tick(clocks.read());
    if (options.dry_run && decision)
        std::printf("%s\n", words::sentence(decision->reason, os::page_bytes()).c_str());
    std::fflush(stdout);
    if (!service)
        return;
    const core::AwakeTime now = Clocks::awake();
    service->update(now);
    for (const Notice& notice : notices.update(daemon.condition()))
        service->notice(notice.kind, notice.text, now);
}

int serve(const Options& options, const Log& log, Clocks& clocks, EventLoop& loop, Daemon& daemon,
          std::optional<bus::Service>& service) {
    Notices notices;
    Watchdog watchdog(watchdog_waits());
    tick(options, clocks, daemon, service, notices);
    for (;;) {
        const auto event = loop.wait(service ? service->poll_request(Clocks::awake()) : bus::PollRequest(), daemon.alarm_files());
        if (!event)
            return fail(log, event.error());
        switch (*event) {
            case EventLoop::Event::terminate:
                ::sd_notify(0, "STOPPING=1");
                daemon.save_state();
                daemon.release_all();
                log.info("stopping; no limit is in force from now on");
                return EXIT_SUCCESS;
            case EventLoop::Event::reload:
                reload(options, log, clocks, daemon, loop);
                break;
            case EventLoop::Event::alarm:
                daemon.take_alarm(loop.reports(), clocks.read());
                break;
            case EventLoop::Event::tick:
                tick(options, clocks, daemon, service, notices);
                if (watchdog.due(Clocks::awake()))
                    ::sd_notify(0, "WATCHDOG=1");
                break;
            case EventLoop::Event::bus:
                break;
        }
        if (service)
            service->process(Clocks::awake());
    }
}

Result<void> restore_knobs(const RootDir& root) {
    if (!root.exists(os::SavedKnobs::default_file))
        return {};
    os::SavedKnobs knobs(root);
    auto begun = knobs.begin();
    // A damaged file still has lines that make sense.
    if (!begun && (begun.error().code() != EINVAL || !knobs.begin()))
        return begun;
    auto restored = knobs.restore();
    return begun ? restored : begun;
}

// Undoes what a killed tmmd left behind: all of it, even if a part fails.
Result<void> release(const RootDir& root) {
    auto restored = restore_knobs(root);
    auto released = Contributions::release_left_behind(root);
    return restored ? released : restored;
}

int run(const Options& options, const config::Config& config, const Log& log) {
    auto loop = EventLoop::create();
    if (!loop)
        return fail(log, loop.error());
    const auto root = RootDir::open(options.root);
    if (!root)
        return fail(log, root.error());
    // The loop blocks signals, also in the helper: it ends with tmmd, not before. There are no threads yet.
    const auto helpers = start_helpers(*root, may_need_helper(*root, options.source));
    if (!helpers)
        return fail(log, helpers.error());
    const auto installed = os::read_installed_pages(*root);
    if (!installed)
        return fail(log, installed.error());
    // The reader of a recording or a timeline through a pipe may go away. That fails the write; tmmd goes on.
    std::signal(SIGPIPE, SIG_IGN);
    const auto state_root = open_root_of(options.state_path);
    if (!state_root)
        return fail(log, state_root.error());
    auto outputs = open_outputs(options, *state_root);
    if (!outputs)
        return fail(log, outputs.error());
    Clocks clocks{TimeLapse(options.time_lapse)};
    Daemon daemon(config, *root, log, kernel_adapters(*root, options.source, *helpers), *installed, options.dry_run,
                  *std::move(outputs));
    if (!options.dry_run) {
        auto soft = soft::SoftServer::open(
            *root, soft::SoftServer::default_path,
            {.user_of = [&root](pid_t process, uid_t user) { return os::user_of_peer(*root, process, user); },
             .memory_of = [&root](pid_t process) { return os::memory_of_peer(*root, process); }});
        if (soft)
            daemon.serve_soft(*std::move(soft));
        else
            log.warning(soft.error().message() + "; programs with soft memory follow the machine, each by itself");
    }
    BusModel model(daemon, *root, [&clocks] { return clocks.read(); });
    std::optional<bus::Service> service;
    if (!options.bus.empty())
        service.emplace(options.bus, model, log);
    const auto started = daemon.start(clocks.read());
    if (service)
        service->process(Clocks::awake());
    // With a bus, clients can read the reason, and the kernel module or the privilege may still come. Without one, tmmd ends.
    if (!started && !(service && service->connected()))
        return fail(log, started.error());
    const auto set = loop->set_interval(tick_interval(config, clocks.lapse()));
    if (!set)
        return fail(log, set.error());
    ::sd_notify(0, "READY=1");
    return serve(options, log, clocks, *loop, daemon, service);
}

int main_of(int argc, char** argv) {
    // systemd sets this when stderr goes to the journal, which understands "<N>" prefixes.
    Log log("tmmd", LogLevel::info, std::getenv("JOURNAL_STREAM") != nullptr);
    const auto options = parse_options(argc, argv);
    if (!options) {
        log.error(options.error().message() + "; see tmmd --help");
        return EXIT_FAILURE;
    }
    if (options->action == Options::Action::help) {
        std::fputs(usage().c_str(), stdout);
        return EXIT_SUCCESS;
    }
    if (options->action == Options::Action::version) {
        std::puts("tmmd " TMM_VERSION);
        return EXIT_SUCCESS;
    }
    if (options->action == Options::Action::release) {
        const auto root = RootDir::open(options->root);
        const auto released = root ? release(*root) : Result<void>(root.error());
        return released ? EXIT_SUCCESS : fail(log, released.error());
    }
    if (options->verbose)
        log.set_max_level(LogLevel::debug);
    const auto config = read_config(*options);
    if (!config)
        return fail(log, config.error());
    if (options->action == Options::Action::check_config) {
        std::puts("The configuration is valid.");
        return EXIT_SUCCESS;
    }
    if (options->action == Options::Action::print_sources) {
        const auto root = RootDir::open(options->root);
        if (!root)
            return fail(log, root.error());
        const auto helpers = start_helpers(*root, true);
        if (!helpers)
            return fail(log, helpers.error());
        std::fputs(describe_sources(*root, *config, options->source, source_tools(*helpers)).c_str(), stdout);
        return EXIT_SUCCESS;
    }
    return run(*options, *config, log);
}

}  // namespace
}  // namespace tmm::app

int main(int argc, char** argv) {
    return tmm::app::main_of(argc, argv);
}
