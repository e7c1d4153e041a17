// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/net/worker.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace tmm::caches {
namespace {

using Clock = Connection::Clock;

constexpr std::size_t scratch_bytes = std::size_t{64} * 1024;
constexpr std::size_t max_events = 128;
constexpr std::chrono::milliseconds tick_interval{1000};
// Connections that wait for memory try again so often.
constexpr std::chrono::milliseconds starved_interval{20};
// A connection that moves no byte for this long gives its memory to others of its user who wait.
constexpr std::chrono::seconds max_hoarding{10};

// That epoll reports beside errors and the end of the client.
std::uint32_t events_for(Connection::Need need) {
    return need == Connection::Need::read ? EPOLLIN : need == Connection::Need::write ? EPOLLOUT : 0U;
}

}  // namespace

Worker::Worker(const WorkerOptions& options, SessionFactory factory, std::function<void(const Peer&)> closed)
    : options_(options),
      factory_(std::move(factory)),
      closed_(std::move(closed)),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      scratch_(scratch_bytes) {
    epoll_event event{.events = EPOLLIN, .data = {.fd = event_.get()}};
    if (!epoll_ || !event_ || ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, event_.get(), &event) != 0)
        throw std::system_error(errno, std::generic_category(), "epoll");
    thread_ = std::thread([this] { run(); });
}

Worker::~Worker() {
    stops_ = true;
    wake();
    thread_.join();
}

void Worker::wake() {
    const std::uint64_t one = 1;
    static_cast<void>(::write(event_.get(), &one, sizeof one));  // a full counter also wakes it
}

void Worker::add(UniqueFd socket, Peer peer, std::shared_ptr<Account> account) {
    auto connection =
        std::make_unique<Connection>(std::move(socket), std::move(peer), std::move(account), options_.max_requests_per_turn);
    {
        const std::lock_guard lock(mutex_);
        arrivals_.push_back(std::move(connection));
    }
    wake();
}

std::vector<Worker::Description> Worker::describe() const {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    std::vector<Description> descriptions;
    for (const auto& [socket, served] : connections_) {
        const Connection& connection = *served.connection;
        descriptions.push_back({socket, connection.peer().address, connection.peer().listen_address, connection.state(),
                                std::chrono::duration_cast<std::chrono::seconds>(now - connection.last_active())});
    }
    return descriptions;
}

void Worker::take_arrivals() {
    std::uint64_t wakes = 0;
    static_cast<void>(::read(event_.get(), &wakes, sizeof wakes));
    std::vector<std::unique_ptr<Connection>> arrivals;
    {
        const std::lock_guard lock(mutex_);
        arrivals.swap(arrivals_);
    }
    for (auto& connection : arrivals) {
        const int socket = connection->socket();
        connection->start(factory_, Clock::now());
        epoll_event event{.events = events_for(Connection::Need::turn), .data = {.fd = socket}};
        if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, socket, &event) != 0) {
            closed_(connection->peer());
            continue;
        }
        {
            const std::lock_guard lock(mutex_);
            connections_.emplace(socket, Served{std::move(connection), Connection::Need::turn});
        }
        ready_.push_back(socket);
    }
}

void Worker::close(int socket) {
    const auto found = connections_.find(socket);
    const Served served = std::move(found->second);
    {
        const std::lock_guard lock(mutex_);
        connections_.erase(found);
    }
    closed_(served.connection->peer());
}

void Worker::serve(int socket, bool hung_up) {
    const auto found = connections_.find(socket);
    if (found == connections_.end())
        return;
    Served& served = found->second;
    if (hung_up && served.need == Connection::Need::turn)
        return;  // its requests are still carried out
    // epoll would report it without end.
    if (hung_up && served.need == Connection::Need::memory) {
        close(socket);
        return;
    }
    Connection::Traffic traffic;
    const Connection::Need need = served.connection->serve(scratch_, traffic, Clock::now());
    counts_.read_bytes += traffic.read_bytes;
    counts_.written_bytes += traffic.written_bytes;
    if (need == Connection::Need::close) {
        close(socket);
        return;
    }
    if (need == Connection::Need::turn) {
        ++counts_.yields;
        ready_.push_back(socket);
    }
    if (need == Connection::Need::memory)
        starved_.push_back(socket);
    if (events_for(need) != events_for(served.need)) {
        epoll_event event{.events = events_for(need), .data = {.fd = socket}};
        ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, socket, &event);
    }
    served.need = need;
}

void Worker::tick() {
    const auto now = Clock::now();
    std::vector<int> ended;
    for (const auto& [socket, served] : connections_) {
        const auto idle = now - served.connection->last_active();
        const bool hoards = idle > max_hoarding && served.connection->hoards();
        const bool is_idle = options_.idle_timeout.count() > 0 && idle > options_.idle_timeout;
        if (!hoards && !is_idle)
            continue;
        ++(hoards ? counts_.hoarders : counts_.idle_kicks);
        ended.push_back(socket);
    }
    for (const int socket : ended)
        close(socket);
}

void Worker::run() {
    std::array<epoll_event, max_events> events;
    auto next_tick = Clock::now() + tick_interval;
    while (!stops_) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(next_tick - Clock::now());
        const auto wait = !ready_.empty()     ? std::chrono::milliseconds(0)
                          : !starved_.empty() ? std::min(left, starved_interval)
                                              : left;
        const int number = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()),
                                        static_cast<int>(std::max(wait, std::chrono::milliseconds(0)).count()));
        std::vector<int> turns = std::exchange(ready_, {});
        turns.insert(turns.end(), starved_.begin(), starved_.end());
        starved_.clear();
        for (int i = 0; i < number; ++i) {
            const epoll_event& event = events[static_cast<std::size_t>(i)];
            if (event.data.fd == event_.get())
                take_arrivals();
            else
                serve(event.data.fd, (event.events & (EPOLLHUP | EPOLLERR)) != 0);
        }
        for (const int socket : turns)
            serve(socket, false);
        if (Clock::now() >= next_tick) {
            tick();
            next_tick = Clock::now() + tick_interval;
        }
    }
}

}  // namespace tmm::caches
