// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/changes.hpp"

#include <algorithm>
#include <cmath>

namespace tmm::bus {

namespace {

constexpr std::uint64_t min_bytes = 1 << 20;
constexpr std::uint64_t min_part = 1000;   // of all memory
constexpr std::uint64_t min_us = 1000000;  // a pause's end is worked out anew each time, from two clocks
constexpr double min_slowdown = 0.0005;    // 0.05 %
constexpr double min_stall = 0.0005;

// Collects the names of what differs and takes it over as told.
class Teller {
public:
    explicit Teller(std::uint64_t total_bytes) : total_bytes_(total_bytes) {}

    template <typename Value>
    void exact(const char* name, Value& told, const Value& now) {
        tell(told != now, name, told, now);
    }
    void memory(const char* name, std::uint64_t& told, std::uint64_t now) {
        const std::uint64_t change = told > now ? told - now : now - told;
        tell(change > min_bytes && change > total_bytes_ / min_part, name, told, now);
    }
    void time(const char* name, std::uint64_t& told, std::uint64_t now) {
        tell((told > now ? told - now : now - told) >= min_us, name, told, now);
    }
    void share(const char* name, double& told, double now, double least) {
        tell(std::isnan(told) != std::isnan(now) || std::abs(told - now) >= least, name, told, now);
    }

    [[nodiscard]] std::vector<std::string> names() && { return std::move(names_); }

private:
    template <typename Value>
    void tell(bool differs, const char* name, Value& told, const Value& now) {
        if (!differs)
            return;
        names_.emplace_back(name);
        told = now;
    }

    std::uint64_t total_bytes_;
    std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> tell_changes(wire::Status& told, const wire::Status& now) {
    Teller teller(now.total_bytes);
    teller.exact("State", told.state, now.state);
    teller.exact("Reason", told.reason, now.reason);
    teller.time("PausedUntil", told.paused_until_us, now.paused_until_us);
    teller.exact("TotalBytes", told.total_bytes, now.total_bytes);
    teller.memory("OpaqueBytes", told.opaque_bytes, now.opaque_bytes);
    teller.memory("TransparentBytes", told.transparent_bytes, now.transparent_bytes);
    teller.memory("SoftBytes", told.soft_bytes, now.soft_bytes);
    teller.memory("FreeBytes", told.free_bytes, now.free_bytes);
    teller.memory("OpaqueLimitBytes", told.opaque_limit_bytes, now.opaque_limit_bytes);
    teller.memory("TransparentLimitBytes", told.transparent_limit_bytes, now.transparent_limit_bytes);
    teller.share("ExpectedSlowdown", told.expected_slowdown, now.expected_slowdown, min_slowdown);
    teller.share("MeasuredStall", told.measured_stall, now.measured_stall, min_stall);
    teller.exact("LastReturnFaults", told.last_return_faults, now.last_return_faults);
    teller.exact("Caps", told.caps, now.caps);
    teller.exact("Source", told.source, now.source);
    teller.exact("SourceReason", told.source_reason, now.source_reason);
    return std::move(teller).names();
}

std::vector<std::string> tell_changes(Contribution& told, const Contribution& now, std::uint64_t total_bytes) {
    Teller teller(total_bytes);
    teller.memory("MemoryBytes", told.memory_bytes, now.memory_bytes);
    teller.exact("State", told.state, now.state);
    teller.exact("Weight", told.weight, now.weight);
    return std::move(teller).names();
}

bool Pace::may(TimePoint now) {
    if (last_ && now - *last_ < period_) {
        due_ = *last_ + period_;
        return false;
    }
    due_.reset();
    return true;
}

void Retry::failed(TimePoint now) {
    due_ = now + wait_;
    wait_ = std::min(2 * wait_, max_);
}

}  // namespace tmm::bus
