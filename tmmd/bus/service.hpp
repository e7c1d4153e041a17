// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Service: the daemon on the bus. If there is no bus, or it is lost, the service logs that once and keeps trying to connect. It
// has no thread and no loop of its own: the event loop waits as poll_request() says and calls process(). Nothing throws out of
// it. Called from one thread. Without sdbus-c++ (meson -Ddbus=disabled) the class is the same and never connects.
#pragma once

#include <poll.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log/log.hpp"
#include "tmmd/bus/model.hpp"
#include "tmmd/core/clocks.hpp"

namespace tmm::bus {

struct PollRequest {
    std::vector<pollfd> fds;
    std::optional<std::chrono::nanoseconds>
        timeout;  // time until process() must be called at the latest; none: only when a descriptor is ready
};

class Service {
public:
    // address: "system", "session" or a D-Bus address, such as "unix:path=/run/user/1000/bus". Model and log must outlive it.
    Service(std::string address, Model& model, const Log& log);
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;
    ~Service();

    // Returns whether the service owns its name on the bus.
    [[nodiscard]] bool connected() const;

    [[nodiscard]] PollRequest poll_request(core::AwakeTime now) const;

    // Answers calls, a bounded number at once so that a flood delays nothing else; sends signals and connects when they are due.
    void process(core::AwakeTime now);

    // To be called after the model may have changed: sends the signals that are due.
    void update(core::AwakeTime now);

    // Sends the signal Notice, of each kind at most once a minute; drops further ones. kind and text: see dbus/*.xml.
    void notice(const std::string& kind, const std::string& text, core::AwakeTime now);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tmm::bus
