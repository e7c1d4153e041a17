// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// EventLoop: waits for the next tick, a signal, an alarm, or the bus. It blocks SIGTERM, SIGINT and SIGHUP for the process:
// create it before any thread. Called from one thread.
#pragma once

#include <poll.h>

#include <chrono>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/bus/service.hpp"

namespace tmm::app {

class EventLoop {
public:
    enum class Event { alarm, tick, reload, terminate, bus };

    // Error: the kernel grants no timer or no signal file.
    static Result<EventLoop> create();

    // Sets the first tick to interval from now, the others to every interval after it. interval: above 0. A late tick skips those
    // that it overruns.
    Result<void> set_interval(std::chrono::nanoseconds interval);

    // Blocks until an event comes. An alarm goes first, since poll(2) reports it only once; then come signals, ticks, the bus.
    // bus: the bus's file, events and timeout. alarms: further files and their events. Error: of poll(2) or read(2).
    Result<Event> wait(const bus::PollRequest& bus, const std::vector<pollfd>& alarms);

    // Returns the alarms with the reports of the last poll(2).
    [[nodiscard]] const std::vector<pollfd>& reports() const { return reports_; }

private:
    EventLoop(UniqueFd timer, UniqueFd signals) : timer_(std::move(timer)), signals_(std::move(signals)) {}

    UniqueFd timer_;
    UniqueFd signals_;
    std::vector<pollfd> reports_;
};

}  // namespace tmm::app
