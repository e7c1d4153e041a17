// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// tmm-boinc: connects a BOINC client and tmmd in one event loop.
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "base/log/log.hpp"
#include "base/log/problem_log.hpp"
#include "boinc-adapter/app/adapter.hpp"
#include "boinc-adapter/app/bus_object.hpp"
#include "boinc-adapter/app/client/identity.hpp"
#include "boinc-adapter/app/client/stopped_client.hpp"
#include "boinc-adapter/app/client_link.hpp"
#include "boinc-adapter/app/clocks.hpp"
#include "boinc-adapter/app/files/files.hpp"
#include "boinc-adapter/app/files/idle_segment.hpp"
#include "boinc-adapter/app/options.hpp"
#include "boinc-adapter/app/tmmd_client.hpp"
#include "boinc-adapter/policy/donation/donation.hpp"
#include "boinc-adapter/policy/shown.hpp"
#include "tmmd/core/clocks.hpp"
#include "tmmd/os/reading/presence/owner_presence.hpp"

namespace tmm::boinc {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Its members may change the client's preferences and read its password.
constexpr const char* client_group = "boinc";
constexpr std::uint64_t slack_us = 200'000;
constexpr std::uint64_t hurried_us = 200'000;
// The client is the user's again after so long, or its user reads why not.
constexpr seconds max_ending{15};
// A frozen client takes nothing back; one that is being thawed does so soon.
constexpr seconds max_frozen_ending{2};

class Program {
public:
    Program(const Options& options, const Log& log, const RootDir& root, Files& files, sd_event* event)
        : event_(event),
          log_(log),
          adapter_(root, files, log, options.dry_run),
          client_(options, log, root, files, adapter_, event, [this] { show(); }),
          object_(log),
          tmmd_(event, options.bus, options.dry_run || options.action == Options::Action::restore ? nullptr : &object_,
                [this] { on_tmmd(); }),
          bus_problems_(log),
          presence_(root),
          segment_problems_(log),
          is_dry_run_(options.dry_run),
          is_restore_(options.action == Options::Action::restore),
          ends_(is_restore_) {}

    Result<void> start() {
        auto started = client_.start();
        if (started)
            started = adapter_.start(now());
        if (!started)
            return started;
        int r = 0;
        for (const int signal : {SIGTERM, SIGINT})
            r = r < 0 ? r : sd_event_add_signal(event_, nullptr, signal, on_signal, this);
        r = r < 0 ? r : sd_event_add_time_relative(event_, &timer_, CLOCK_MONOTONIC, 0, slack_us, on_timer, this);
        r = r < 0 ? r : sd_event_source_set_enabled(timer_, SD_EVENT_ON);
        if (r < 0)
            return Error::from_errno(-r, "the event loop");
        if (ends_)
            end();
        else if (!is_dry_run_)
            open_segment();
        return {};
    }

    int run() {
        const int r = sd_event_loop(event_);
        timer_ = sd_event_source_disable_unref(timer_);
        if (r < 0)
            log_.error(Error::from_errno(-r, "the event loop").message());
        return r == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }

private:
    static int on_timer(sd_event_source* source, std::uint64_t /*us*/, void* data) {
        auto& self = *static_cast<Program*>(data);
        self.tick();
        const auto next_us = static_cast<std::uint64_t>(std::chrono::microseconds(self.adapter_.interval()).count());
        const int r = sd_event_source_set_time_relative(source, self.ends_ ? hurried_us : next_us);
        return r < 0 ? r : sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
    }
    static int on_signal(sd_event_source* /*source*/, const signalfd_siginfo* /*info*/, void* data) {
        auto& self = *static_cast<Program*>(data);
        ::sd_notify(0, "STOPPING=1");
        self.end();
        return sd_event_source_set_time_relative(self.timer_, 0);
    }

    void open_segment() {
        auto folder = RootDir::open("/dev/shm");
        if (folder)
            segment_.emplace(*std::move(folder));
    }

    void end() {
        ends_ = true;
        ends_at_ = now().elapsed + max_ending;
        adapter_.set_tmmd({});
    }

    void tick() {
        const Now moment = now();
        client_.look_at_client(ends_, moment);
        if (!ends_)
            client_.look_for_others(moment);
        if (ends_ || adapter_.wants_turn(client_.client(), client_.is_frozen(), moment))
            turn(moment);
        if (!ends_ && segment_)
            tell_presence(moment);
    }

    void tell_presence(Now moment) {
        const auto times = idle_times(
            adapter_.version(), [&] { return presence_.idle_for(core::ElapsedTime(moment.elapsed)); }, moment.wall);
        if (!times)
            return;
        const auto written = segment_->write(*times);
        segment_problems_.warn(written ? std::string() : written.error().message(), "; BOINC finds idle time by itself");
    }

    void turn(Now moment) {
        if (!ends_) {
            const auto asked = tmmd_.ask();
            bus_problems_.warn(asked ? std::string() : asked.error().message(), "; BOINC runs as without TMM");
            if (!asked)
                adapter_.set_tmmd({});
        }
        client_.keep_connection(moment);
        adapter_.begin_turn(moment);
        client_.process();
        // Only tasks that tmmd does not freeze need to be told at once; a client outside may start one at any time. Until the
        // first turn is over, nobody knows of any.
        tmmd_.follow(!has_turned_ || client_.is_outside() || adapter_.has_tasks_outside());
        show();
        has_turned_ = true;
        const bool is_done =
            adapter_.is_clean() || ((is_restore_ || !adapter_.session().is_open()) && adapter_.has_nothing_left());
        const bool is_over = moment.elapsed >= (client_.is_frozen() ? ends_at_ - max_ending + max_frozen_ending : ends_at_);
        if (ends_ && (is_done || is_over))
            finish(is_done);
    }

    void show() {
        // At first, a client that answers seems to be absent.
        if (!has_turned_ || ends_)
            return;
        ShownFacts facts = adapter_.shown_facts(client_.is_frozen());
        facts.silence = client_.silence();
        const Shown next = shown(facts);
        object_.show(next, adapter_.days(), news_.take(next, adapter_.days(), now().elapsed));
    }

    void finish(bool is_done) {
        if (!is_restore_)
            adapter_.save_days();
        if (!is_done) {
            // A client that does not answer reads the override when it starts.
            const auto restored = adapter_.restore_override();
            if (!restored)
                log_.error(restored.error().message());
            log_.warning("the BOINC client did not take all back; the next tmm-boinc, or 'tmm-boinc --restore', does the rest");
        }
        sd_event_exit(event_, 0);
    }

    void on_tmmd() {
        if (ends_)
            return;
        const auto state = state_of(tmmd_.status());
        const bool is_news = state != std::exchange(state_, state);
        adapter_.set_tmmd(tmmd_.status());
        // A pause does not wait for the next turn.
        if (is_news) {
            adapter_.begin_turn_at_once(now());
            client_.process();
        }
    }

    sd_event* event_;
    const Log& log_;
    Adapter adapter_;
    ClientLink client_;
    BusObject object_;
    ShownNews news_;
    TmmdClient tmmd_;
    ProblemLog bus_problems_;
    os::OwnerPresence presence_;
    std::optional<IdleSegment> segment_;  // nothing: not to be written
    ProblemLog segment_problems_;
    sd_event_source* timer_ = nullptr;
    std::optional<Donation::State> state_;
    bool has_turned_ = false;
    bool is_dry_run_;
    bool is_restore_;
    bool ends_;
    milliseconds ends_at_{0};
};

int fail(const Log& log, const Error& error) {
    log.error(error.message());
    return EXIT_FAILURE;
}

int run(const Options& options, const Log& log) {
    const auto root = RootDir::open("/");
    if (!root)
        return fail(log, root.error());
    auto data = RootDir::open(options.data_dir);
    if (!data)
        return fail(log, std::move(data).error().with_context(
                             "no BOINC client's data; upstream's packages keep it in /var/lib/boinc, see --data"));
    auto state = RootDir::open(options.state_dir);
    if (!state)
        return fail(log, std::move(state).error().with_context("the directory of --state"));
    if (options.action == Options::Action::release) {
        const auto released = release(*data, *state, log);
        return released ? EXIT_SUCCESS : fail(log, released.error());
    }
    // Root may run --restore.
    const auto identity = become_owner_of(*state, client_group);
    if (!identity)
        return fail(log, identity.error());
    Files files(*std::move(data), *std::move(state));
    // The event loop takes signals from a file.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    ::sigprocmask(SIG_BLOCK, &signals, nullptr);
    std::unique_ptr<sd_event, decltype(&sd_event_unref)> event(nullptr, sd_event_unref);
    sd_event* raw = nullptr;
    if (const int r = sd_event_default(&raw); r < 0)
        return fail(log, Error::from_errno(-r, "the event loop"));
    event.reset(raw);
    Program program(options, log, *root, files, event.get());
    const auto started = program.start();
    if (!started)
        return fail(log, started.error());
    ::sd_notify(0, "READY=1");
    return program.run();
}

int main_of(int argc, char** argv) {
    Log log("tmm-boinc", LogLevel::info, std::getenv("JOURNAL_STREAM") != nullptr);
    const auto options = parse_options(argc, argv);
    if (!options) {
        log.error(options.error().message() + "; see tmm-boinc --help");
        return EXIT_FAILURE;
    }
    if (options->action == Options::Action::help) {
        std::fputs(usage().c_str(), stdout);
        return EXIT_SUCCESS;
    }
    if (options->action == Options::Action::version) {
        std::puts("tmm-boinc " TMM_VERSION);
        return EXIT_SUCCESS;
    }
    if (options->verbose)
        log.set_max_level(LogLevel::debug);
    return run(*options, log);
}

}  // namespace
}  // namespace tmm::boinc

int main(int argc, char** argv) {
    return tmm::boinc::main_of(argc, argv);
}
