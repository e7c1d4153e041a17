// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// EventLoop: waits for the next tick, a signal, or the bus. Blocks SIGTERM, SIGINT and SIGHUP for the process, so it is made
// before any thread.
#pragma once

#include <chrono>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/bus/service.hpp"

namespace tmm::app {

class EventLoop {
public:
    enum class Event { tick, reload, terminate, bus };

    static Result<EventLoop> create();

    // The next tick comes interval from now, the others every interval after it. A tick that takes too long skips those that it
    // overruns.
    Result<void> set_interval(std::chrono::nanoseconds interval);

    // Blocks until an event comes. A tick or a signal goes before the bus.
    Result<Event> wait(const bus::PollRequest& bus);

private:
    EventLoop(UniqueFd timer, UniqueFd signals) : timer_(std::move(timer)), signals_(std::move(signals)) {}

    UniqueFd timer_;
    UniqueFd signals_;
};

}  // namespace tmm::app
