// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// EventLoop: waits for the next epoch, a signal, or the bus. Blocks SIGTERM, SIGINT and SIGHUP for the process, so it is made
// before any thread.
#pragma once

#include <chrono>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/bus/service.hpp"

namespace tmm::app {

class EventLoop {
public:
    enum class Event { epoch, reload, terminate, bus };

    static Result<EventLoop> create();

    // The next epochs end interval from now and every interval from then on. An epoch that took too long swallows those it
    // overran.
    Result<void> set_interval(std::chrono::nanoseconds interval);

    // Blocks. What the bus waits for is done when there is nothing else to do.
    Result<Event> wait(const bus::PollRequest& bus);

private:
    EventLoop(UniqueFd timer, UniqueFd signals) : timer_(std::move(timer)), signals_(std::move(signals)) {}

    UniqueFd timer_;
    UniqueFd signals_;
};

}  // namespace tmm::app
