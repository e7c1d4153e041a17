// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/time/event_loop.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iterator>

namespace tmm::app {

Result<EventLoop> EventLoop::create() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    if (::sigprocmask(SIG_BLOCK, &set, nullptr) != 0)
        return Error::from_errno(errno, "sigprocmask");
    UniqueFd signals(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!signals)
        return Error::from_errno(errno, "signalfd");
    // Monotonic time stops while the machine sleeps: an hour of sleep is no tick of an hour.
    UniqueFd timer(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
    if (!timer)
        return Error::from_errno(errno, "timerfd_create");
    return EventLoop(std::move(timer), std::move(signals));
}

Result<void> EventLoop::set_interval(std::chrono::nanoseconds interval) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(interval);
    const timespec span{seconds.count(), (interval - seconds).count()};
    const itimerspec timer{span, span};
    if (::timerfd_settime(timer_.get(), 0, &timer, nullptr) != 0)
        return Error::from_errno(errno, "timerfd_settime");
    return {};
}

Result<EventLoop::Event> EventLoop::wait(const bus::PollRequest& bus, const std::vector<pollfd>& alarms) {
    std::vector<pollfd> fds = alarms;
    fds.push_back({signals_.get(), POLLIN, 0});
    fds.push_back({timer_.get(), POLLIN, 0});
    std::copy(bus.fds.begin(), bus.fds.end(), std::back_inserter(fds));  // gcc 14 warns of insert() here, without reason
    timespec timeout{};
    if (bus.timeout) {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*bus.timeout);
        timeout = {seconds.count(), (*bus.timeout - seconds).count()};
    }
    for (;;) {
        if (::ppoll(fds.data(), fds.size(), bus.timeout ? &timeout : nullptr, nullptr) < 0) {
            if (errno == EINTR)
                continue;
            return Error::from_errno(errno, "poll");
        }
        reports_.assign(fds.begin(), fds.begin() + static_cast<std::ptrdiff_t>(alarms.size()));
        if (std::any_of(reports_.begin(), reports_.end(), [](const pollfd& report) { return report.revents != 0; }))
            return Event::alarm;
        signalfd_siginfo signal{};
        if (::read(signals_.get(), &signal, sizeof signal) == static_cast<ssize_t>(sizeof signal))
            return signal.ssi_signo == SIGHUP ? Event::reload : Event::terminate;
        std::uint64_t expirations = 0;
        if (::read(timer_.get(), &expirations, sizeof expirations) == static_cast<ssize_t>(sizeof expirations))
            return Event::tick;
        return Event::bus;
    }
}

}  // namespace tmm::app
