// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// tmm-cached: reads the command line, and wires the store, the sessions and the server together.
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/log/log.hpp"
#include "base/units.hpp"
#include "caches/cached/options.hpp"
#include "caches/cached/process.hpp"
#include "caches/cached/service/passwords.hpp"
#include "caches/cached/service/service.hpp"
#include "caches/cached/sessions/cache_session.hpp"
#include "caches/cached/statistics.hpp"
#include "caches/net/server.hpp"
#include "softlib/heap.hpp"

namespace tmm::caches {
namespace {

// sysexits.h, as memcached has them.
constexpr int exit_usage = 64;
constexpr int exit_failure = 71;

// The second of the store's clock at the start: expiries of 1 have passed, and uptimes begin with 2 in memcached, too.
constexpr std::uint32_t first_second = 2;
// Each second, so many places of the index are looked at.
constexpr std::size_t swept_places = std::size_t{64} * 1024;
// For requests under way, and as much for replies, of each user; at least this many of the largest items.
constexpr std::size_t min_user_bytes = std::size_t{64} << 20;
constexpr std::size_t min_user_items = 4;

// The store's clock, which tests may move.
class StoreClock {
public:
    StoreClock() : started_at_(awake_and_asleep()), started_(::time(nullptr) - first_second) {}
    [[nodiscard]] ServerTime get() const {
        const std::int64_t passed = awake_and_asleep() - started_at_ + moved_.load(std::memory_order_relaxed);
        return {static_cast<std::uint32_t>(passed + first_second), started_};
    }
    void move(std::int64_t seconds) { moved_ += seconds; }

private:
    static std::int64_t awake_and_asleep() {
        timespec time{};
        ::clock_gettime(CLOCK_BOOTTIME, &time);
        return time.tv_sec;
    }
    const std::int64_t started_at_;
    const std::int64_t started_;
    std::atomic<std::int64_t> moved_ = 0;
};

// Sweeps the store's index once a second.
class Sweeper {
public:
    explicit Sweeper(ByteStore& store) : thread_([this, &store] { run(store); }) {}
    ~Sweeper() {
        {
            const std::lock_guard lock(mutex_);
            stops_ = true;
        }
        wake_.notify_all();
        thread_.join();
    }
    Sweeper(const Sweeper&) = delete;
    Sweeper& operator=(const Sweeper&) = delete;

private:
    void run(ByteStore& store) {
        std::unique_lock lock(mutex_);
        while (!wake_.wait_for(lock, std::chrono::seconds(1), [this] { return stops_; }))
            store.sweep(swept_places, false);
    }
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stops_ = false;
    std::thread thread_;
};

Result<std::vector<Listener>> listen(const Settings& settings) {
    std::vector<Listener> listeners = inherited_listeners();
    if (!settings.crsh_path.empty()) {
        auto listener = listen_unix(settings.crsh_path, settings.socket_mode, settings.backlog, EndpointKind::crsh);
        if (!listener)
            return listener.error();
        listeners.push_back(std::move(*listener));
    }
    if (!settings.socket_path.empty()) {
        auto listener = listen_unix(settings.socket_path, settings.socket_mode, settings.backlog, EndpointKind::cache);
        if (!listener)
            return listener.error();
        listeners.push_back(std::move(*listener));
        return listeners;
    }
    // What systemd or a socket for ccache gives is enough, unless a port is asked for.
    if (!settings.listens_tcp || (!listeners.empty() && !settings.has_port && settings.addresses.empty()))
        return listeners;
    const bool is_default = settings.addresses.empty();
    const std::vector<std::string> addresses = is_default ? std::vector<std::string>{"127.0.0.1", "::1"} : settings.addresses;
    for (const std::string& address : addresses) {
        // HOST, HOST:PORT, [HOST]:PORT or an IPv6 address.
        std::string host = address;
        std::uint16_t port = settings.port;
        const std::size_t colon = address.rfind(':');
        if (colon != std::string::npos && (address.find(':') == colon || address.front() == '[')) {
            if (address.back() != ']') {
                const auto number = parse_uint(address.substr(colon + 1));
                if (!number || *number == 0 || *number > 65535)
                    return Error(EINVAL, "option -l: '" + address + "' has no port");
                port = static_cast<std::uint16_t>(*number);
                host = address.substr(0, colon);
            }
            if (host.starts_with('['))
                host = host.substr(1, host.find(']') - 1);
        }
        auto found = listen_tcp(host == "*" ? "" : host, port, settings.backlog);
        // Machines without IPv6 have one loopback address only.
        if (!found && is_default && !listeners.empty())
            continue;
        if (!found)
            return found.error();
        std::ranges::move(*found, std::back_inserter(listeners));
        if (is_default && settings.any_port)
            break;
    }
    return listeners;
}

Result<Passwords> read_passwords(const std::string& path) {
    if (path.empty())
        return Passwords();
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return Error(ENOENT, path + ": cannot be read");
    auto passwords = Passwords::parse(std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()));
    if (!passwords)
        return std::move(passwords.error()).with_context(path);
    return passwords;
}

Result<void> serve(const Settings& settings, const Passwords& passwords, std::vector<Listener> listeners, int signals) {
    // Not the process's own, which keeps what is used once as long as what is used often.
    soft::heap heap({.limit_bytes = settings.memory_bytes > 0 ? settings.memory_bytes : soft::default_limit, .probation = 0.1});
    if (!settings.has_fixed_memory)
        heap.share();

    StoreClock clock;
    ByteStore store({.heap = heap, .max_value_bytes = settings.max_item_bytes, .now = [&clock] { return clock.get().now; }});
    const auto time = [&clock] { return clock.get(); };
    std::vector<std::unique_ptr<Counters>> counters;
    for (std::size_t i = 0; i < settings.nr_threads; ++i)
        counters.push_back(std::make_unique<Counters>());
    Statistics statistics(settings, store, counters, time);
    Service service{.settings = settings,
                    .passwords = passwords,
                    .store = store,
                    .time = time,
                    .statistics = [&](std::string_view what) { return statistics.get(what); },
                    .reset_statistics = [&] { statistics.reset(); },
                    .move_clock = [&](std::int64_t seconds) { clock.move(seconds); },
                    .set_limit = [&](std::uint64_t bytes) { heap.set_limit(bytes); },
                    .shut_down = [](bool) { ::kill(::getpid(), SIGTERM); }};
    Sweeper sweeper(store);

    const std::size_t max_user_bytes = std::max(min_user_bytes, min_user_items * settings.max_item_bytes);
    ServerOptions options{
        .nr_workers = settings.nr_threads,
        .worker = {.max_requests_per_turn = settings.max_requests_per_turn, .idle_timeout = settings.idle_timeout},
        .bounds = {.max_connections = settings.max_connections,
                   .max_connections_per_user = (settings.max_connections + 1) / 2,
                   .max_bytes_per_user = max_user_bytes},
        .refuses_at_once = settings.refuses_at_once};
    Server server(options, std::move(listeners), [&](const Peer& peer, Output& greeting) {
        return std::make_unique<CacheSession>(service, *counters[static_cast<std::size_t>(peer.worker)], peer.endpoint, greeting);
    });
    statistics.set_server(&server);
    auto ended = server.run(signals);
    statistics.set_server(nullptr);
    return ended;
}

int run(int argc, char** argv) {
    auto options = parse_options(argc, argv);
    Log log("tmm-cached", LogLevel::info, std::getenv("JOURNAL_STREAM") != nullptr);
    const auto fail = [&](const Error& error, int code) {
        log.error(error.message());
        return code;
    };
    if (!options)
        return fail(options.error(), exit_usage);
    const Settings& settings = options->settings;
    switch (options->start) {
        case Start::help:
            std::fputs(std::string(help_text()).c_str(), stdout);
            return 0;
        case Start::version:
            std::printf("memcached %s (tmm-cached %s)\n", protocol_version, TMM_VERSION);
            return 0;
        case Start::license:
            std::puts("tmm-cached is free software: GPL-2.0-or-later. It contains no code of memcached.");
            return 0;
        case Start::serve:
            break;
    }
    if (settings.verbosity > 0 && !options->ignored.empty())
        log.info("without effect here: " + options->ignored);
    const auto passwords = read_passwords(settings.auth_file);
    if (!passwords)
        return fail(passwords.error(), exit_usage);
    if (auto done = set_limits(settings); !done)
        return fail(done.error(), exit_failure);
    auto listeners = listen(settings);
    if (!listeners)
        return fail(listeners.error(), exit_failure);
    std::vector<std::string> paths;
    for (const Listener& listener : *listeners) {
        if (!listener.path.empty())
            paths.push_back(listener.path);
    }
    if (auto done = drop_privileges(settings.user); !done)
        return fail(done.error(), exit_usage);
    if (settings.daemonizes) {
        if (auto done = become_daemon(); !done)
            return fail(done.error(), exit_failure);
    }
    if (!settings.pid_file.empty()) {
        if (auto done = write_pid_file(settings.pid_file); !done)
            return fail(done.error(), exit_failure);
    }
    if (const char* const path = std::getenv("MEMCACHED_PORT_FILENAME")) {
        if (auto done = write_port_file(path, *listeners); !done)
            return fail(done.error(), exit_failure);
    }
    const auto signals = take_signals();
    if (!signals)
        return fail(signals.error(), exit_failure);
    const auto served = serve(settings, *passwords, std::move(*listeners), signals->get());
    for (const std::string& path : paths)
        ::unlink(path.c_str());
    if (!settings.pid_file.empty())
        ::unlink(settings.pid_file.c_str());
    return served ? 0 : fail(served.error(), exit_failure);
}

}  // namespace
}  // namespace tmm::caches

int main(int argc, char** argv) {
    try {
        return tmm::caches::run(argc, argv);
    } catch (const std::exception& exception) {
        std::fprintf(stderr, "tmm-cached: %s\n", exception.what());
        return tmm::caches::exit_failure;
    }
}
