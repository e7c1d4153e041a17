// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Service: the daemon's place on the bus. It takes the bus as it is: when there is none, or it is lost, it says so once and tries
// again, and everything else goes on. It has no thread and no loop of its own: the event loop waits for what poll_request() names
// and calls process(). Called from one thread. Without sdbus-c++ (meson -Ddbus=disabled) there is the same class that finds no
// bus.
#pragma once

#include <poll.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "tmmd/bus/model.hpp"

namespace tmm::bus {

struct PollRequest {
    std::vector<pollfd> fds;
    std::optional<std::chrono::nanoseconds> timeout;  // to be called again at the latest; none: only for the descriptors
};

class Service {
public:
    using TimePoint = std::chrono::nanoseconds;  // of a clock that never goes back

    // address: "system", "session" or a D-Bus address, such as "unix:path=/run/user/1000/bus". Model and log must outlive it.
    Service(std::string address, Model& model, const Log& log);
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;
    ~Service();

    // Whether the name is ours.
    [[nodiscard]] bool connected() const;

    [[nodiscard]] PollRequest poll_request(TimePoint now) const;

    // Answers what has come in, only so much at once that a flood holds up nothing else; sends what is due; connects again when
    // that is due.
    void process(TimePoint now);

    // The model may have changed.
    void update(TimePoint now);

    // What an owner would want to be told of; of a kind not more often than once a minute.
    void notice(const std::string& kind, const std::string& text, TimePoint now);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tmm::bus
