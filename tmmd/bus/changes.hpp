// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Decides which changes of properties are worth a signal, and when the next signal may be sent. Pure: time is an argument. Not
// thread-safe.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "tmmd/bus/model.hpp"
#include "tmmd/core/clocks.hpp"

namespace tmm::bus {

// Returns the names of the properties that have changed by an amount that a person could see, and copies those into published.
// The others keep their published values, so that small steps add up. total_bytes: of the machine.
std::vector<std::string> take_changes(wire::Status& published, const wire::Status& now);
std::vector<std::string> take_changes(Contribution& published, const Contribution& now, std::uint64_t total_bytes);

// Pace: lets something happen at most once a period.
class Pace {
public:
    explicit Pace(std::chrono::nanoseconds period) : period_(period) {}

    // Returns whether the period is over; if not, notes that a call is due at its end.
    bool may(core::AwakeTime now);
    // To be called after the thing was done: starts a period.
    void done(core::AwakeTime now) { last_ = now; }
    // The time at which a postponed call is due; none: nothing was postponed.
    [[nodiscard]] std::optional<core::AwakeTime> due() const { return due_; }

private:
    std::chrono::nanoseconds period_;
    std::optional<core::AwakeTime> last_;
    std::optional<core::AwakeTime> due_;
};

// Retry: the time of the next attempt. Each failure in a row doubles the wait, up to a maximum.
class Retry {
public:
    Retry(std::chrono::nanoseconds first, std::chrono::nanoseconds max) : first_(first), max_(max), wait_(first) {}

    [[nodiscard]] core::AwakeTime due() const { return due_; }
    void failed(core::AwakeTime now);
    void succeeded() { wait_ = first_; }

private:
    std::chrono::nanoseconds first_;
    std::chrono::nanoseconds max_;
    std::chrono::nanoseconds wait_;
    core::AwakeTime due_{};
};

}  // namespace tmm::bus
