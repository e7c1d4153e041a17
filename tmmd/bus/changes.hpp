// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is worth a signal: which properties differ from what was told by an amount that a person could see, and when the next
// signal may come. Pure: time is an argument.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "tmmd/bus/model.hpp"

namespace tmm::bus {

// Names of the properties to tell of. told becomes what they will have been told; what differs by too little stays as it was
// told, so that small steps add up.
std::vector<std::string> tell_changes(wire::Status& told, const wire::Status& now);
std::vector<std::string> tell_changes(Contribution& told, const Contribution& now, std::uint64_t total_bytes);

// Not more often than once a period.
class Pace {
public:
    using TimePoint = std::chrono::nanoseconds;  // of a clock that never goes back

    explicit Pace(std::chrono::nanoseconds period) : period_(period) {}

    // Whether something may be done now; if not, it is put off until due().
    bool may(TimePoint now);
    // It was done.
    void done(TimePoint now) { last_ = now; }
    // When something that was put off is due.
    [[nodiscard]] std::optional<TimePoint> due() const { return due_; }

private:
    std::chrono::nanoseconds period_;
    std::optional<TimePoint> last_;
    std::optional<TimePoint> due_;
};

// When to try again what fails: the longer it has failed, the later.
class Retry {
public:
    using TimePoint = Pace::TimePoint;

    Retry(std::chrono::nanoseconds first, std::chrono::nanoseconds longest) : first_(first), max_(longest), wait_(first) {}

    [[nodiscard]] TimePoint due() const { return due_; }
    void failed(TimePoint now);
    void succeeded() { wait_ = first_; }

private:
    std::chrono::nanoseconds first_;
    std::chrono::nanoseconds max_;
    std::chrono::nanoseconds wait_;
    TimePoint due_{0};
};

}  // namespace tmm::bus
