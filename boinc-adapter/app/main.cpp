// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// tmm-boinc: connects a BOINC client and tmmd in one event loop.
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>
#include <utility>

#include "base/log.hpp"
#include "base/problem_log.hpp"
#include "boinc-adapter/app/adapter.hpp"
#include "boinc-adapter/app/bus_object.hpp"
#include "boinc-adapter/app/connection.hpp"
#include "boinc-adapter/app/files.hpp"
#include "boinc-adapter/app/identity.hpp"
#include "boinc-adapter/app/idle_segment.hpp"
#include "boinc-adapter/app/options.hpp"
#include "boinc-adapter/app/seen_clients.hpp"
#include "boinc-adapter/app/stopped_client.hpp"
#include "boinc-adapter/app/tmmd_client.hpp"
#include "boinc-adapter/discovery/client_process.hpp"
#include "boinc-adapter/discovery/process_tree.hpp"
#include "boinc-adapter/discovery/running_clients.hpp"
#include "boinc-adapter/policy/donation.hpp"
#include "boinc-adapter/policy/other_clients.hpp"
#include "boinc-adapter/policy/shown.hpp"
#include "tmmd/core/clocks.hpp"
#include "tmmd/os/presence/owner_presence.hpp"

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

milliseconds read_clock(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return std::chrono::duration_cast<milliseconds>(seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

Now now() {
    return {read_clock(CLOCK_BOOTTIME), read_clock(CLOCK_REALTIME)};
}

// Clients come and go seldom, and to look at all processes costs some milliseconds.
constexpr std::chrono::minutes others_interval{1};

class Program {
public:
    Program(const Options& options, const Log& log, const RootDir& root, Files& files, sd_event* event)
        : event_(event),
          log_(log),
          files_(files),
          root_(root),
          adapter_(root, files, log, options.dry_run),
          own_{without_links(options.data_dir), 0, {}, {}},
          object_(log),
          connection_(adapter_.session(), options.socket, options.port),
          tmmd_(event, options.bus, options.dry_run || options.action == Options::Action::restore ? nullptr : &object_,
                [this] { on_tmmd(); }),
          client_problems_(log),
          bus_problems_(log),
          presence_(root),
          segment_problems_(log),
          is_dry_run_(options.dry_run),
          is_restore_(options.action == Options::Action::restore),
          ends_(is_restore_) {
        if (options.socket.empty())
            own_.port = options.port;
    }

    Result<void> start() {
        const auto owner = files_.data_owner();
        if (!owner)
            return owner.error();
        own_.uid = *owner;
        auto started = adapter_.start(now());
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
        socket_ = sd_event_source_disable_unref(socket_);
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
    static int on_socket(sd_event_source* /*source*/, int /*fd*/, std::uint32_t /*events*/, void* data) {
        static_cast<Program*>(data)->process();
        return 0;
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
        const auto client = files_.find_client();
        own_.pid = client;
        look_at_client(client, moment);
        if (!ends_ && moment.elapsed >= look_for_others_at_)
            look_for_others(moment);
        if (ends_ || adapter_.wants_turn(client, is_frozen_, moment))
            turn(moment);
        if (!ends_ && segment_)
            tell_presence(moment);
    }

    void look_for_others(Now moment) {
        look_for_others_at_ = moment.elapsed + others_interval;
        seen_ = see_clients(root_, own_.uid);
        std::vector<std::string> sentences = sentences_of_others(own_, seen_);
        for (const std::string& sentence : sentences) {
            if (std::find(others_.begin(), others_.end(), sentence) == others_.end())
                log_.info(sentence);
        }
        others_ = sentences;
        adapter_.set_other_clients(std::move(sentences));
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
        if (adapter_.session().expired(moment.elapsed))
            close("the BOINC client does not answer");
        if (adapter_.session().wants_connection(moment.elapsed))
            connect();
        adapter_.begin_turn(moment);
        process();
        // Only tasks that tmmd does not freeze need to be told at once; a client outside may start one at any time. Until the
        // first turn is over, nobody knows of any.
        const bool is_outside = own_.pid && !is_below_transparent_slice(root_, *own_.pid);
        tmmd_.follow(!has_turned_ || is_outside || adapter_.has_tasks_outside());
        show();
        has_turned_ = true;
        const bool is_done =
            adapter_.is_clean() || ((is_restore_ || !adapter_.session().is_open()) && adapter_.has_nothing_left());
        const bool is_over = moment.elapsed >= (is_frozen_ ? ends_at_ - max_ending + max_frozen_ending : ends_at_);
        if (ends_ && (is_done || is_over))
            finish(is_done);
    }

    void look_at_client(std::optional<pid_t> client, Now moment) {
        const bool was_frozen = std::exchange(is_frozen_, client && is_frozen(root_, *client));
        if (is_frozen_)
            adapter_.client_is_frozen(moment);
        else if (was_frozen && !ends_)
            adapter_.await_tmmd();
    }

    void show() {
        // At first, a client that answers seems to be absent.
        if (!has_turned_ || ends_)
            return;
        const Shown next = shown(adapter_.shown_facts(is_frozen_));
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

    void connect() {
        const auto listener = own_.port ? find_listener(root_, *own_.port) : std::nullopt;
        if (listener)
            look_for_others(now());
        const std::string wrong = reason_not_to_connect(own_, listener, seen_);
        if (!wrong.empty()) {
            adapter_.session().begin(now().elapsed);
            close(wrong);
            return;
        }
        adapter_.set_password(files_.read_password());
        const auto opened = connection_.open(now().elapsed);
        if (!opened) {
            close(opened.error().message());
            return;
        }
        sd_event_add_io(event_, &socket_, connection_.fd(), static_cast<std::uint32_t>(connection_.events()), on_socket, this);
    }

    void close(const std::string& reason) {
        client_problems_.warn(reason, "; trying again");
        // Before the file, which epoll still knows, is closed.
        socket_ = sd_event_source_disable_unref(socket_);
        connection_.close(now().elapsed);
        adapter_.lost();
    }

    void process() {
        if (!connection_.is_open())
            return;
        // Answers give new requests.
        const bool was_open = adapter_.session().is_open();
        for (int round = 0; round < 2; ++round) {
            const auto done = connection_.process(now().elapsed);
            if (!done) {
                close(done.error().message());
                return;
            }
            adapter_.take_answers(now());
        }
        show();
        if (!was_open && adapter_.session().is_open()) {
            client_problems_.solve();
            adapter_.begin_turn(now());
            const auto done = connection_.process(now().elapsed);
            if (!done) {
                close(done.error().message());
                return;
            }
        }
        sd_event_source_set_io_events(socket_, static_cast<std::uint32_t>(connection_.events()));
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
            process();
        }
    }

    sd_event* event_;
    const Log& log_;
    Files& files_;
    const RootDir& root_;
    Adapter adapter_;
    OwnClient own_;
    std::vector<SeenClient> seen_;
    std::vector<std::string> others_;  // as logged
    milliseconds look_for_others_at_{0};
    BusObject object_;
    ShownNews news_;
    Connection connection_;
    TmmdClient tmmd_;
    ProblemLog client_problems_;
    ProblemLog bus_problems_;
    os::OwnerPresence presence_;
    std::optional<IdleSegment> segment_;  // nothing: not to be written
    ProblemLog segment_problems_;
    sd_event_source* socket_ = nullptr;
    sd_event_source* timer_ = nullptr;
    std::optional<Donation::State> state_;
    bool is_frozen_ = false;
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
        return fail(log, std::move(data).error().with_context("no BOINC client's data"));
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
