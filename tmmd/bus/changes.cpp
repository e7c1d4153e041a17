// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/changes.hpp"

#include <algorithm>
#include <cmath>

namespace tmm::bus {

namespace {

constexpr std::uint64_t min_bytes = 1 << 20;
constexpr std::uint64_t min_part = 1000;   // of all memory
constexpr std::uint64_t min_us = 1000000;  // tmmd computes the end of a pause from two clocks, each time again
constexpr double min_slowdown = 0.0005;    // 0.05 %
constexpr double min_stall = 0.0005;

// Collects the names of the properties that differ and copies their values.
class Changes {
public:
    explicit Changes(std::uint64_t total_bytes) : total_bytes_(total_bytes) {}

    template <typename Value>
    void exact(const char* name, Value& published, const Value& now) {
        take(published != now, name, published, now);
    }
    // Quantities change all the time. A person sees the change of a sentence.
    void reason(wire::Status& published, const wire::Status& now) {
        const bool visible = published.reason != now.reason || published.reason_code != now.reason_code;
        take(visible, "Reason", published.reason, now.reason);
        take(visible, "ReasonCode", published.reason_code, now.reason_code);
        take(visible, "ReasonValues", published.reason_values, now.reason_values);
    }
    void memory(const char* name, std::uint64_t& published, std::uint64_t now) {
        const std::uint64_t change = published > now ? published - now : now - published;
        take(change > min_bytes && change > total_bytes_ / min_part, name, published, now);
    }
    void time(const char* name, std::uint64_t& published, std::uint64_t now) {
        take((published > now ? published - now : now - published) >= min_us, name, published, now);
    }
    void share(const char* name, double& published, double now, double min) {
        take(std::isnan(published) != std::isnan(now) || std::abs(published - now) >= min, name, published, now);
    }

    [[nodiscard]] std::vector<std::string> names() && { return std::move(names_); }

private:
    template <typename Value>
    void take(bool differs, const char* name, Value& published, const Value& now) {
        if (!differs)
            return;
        names_.emplace_back(name);
        published = now;
    }

    std::uint64_t total_bytes_;
    std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> take_changes(wire::Status& published, const wire::Status& now) {
    Changes changes(now.total_bytes);
    changes.exact("State", published.state, now.state);
    changes.reason(published, now);
    changes.time("PausedUntil", published.paused_until_us, now.paused_until_us);
    changes.exact("TotalBytes", published.total_bytes, now.total_bytes);
    changes.memory("OpaqueBytes", published.opaque_bytes, now.opaque_bytes);
    changes.memory("TransparentBytes", published.transparent_bytes, now.transparent_bytes);
    changes.memory("FreeBytes", published.free_bytes, now.free_bytes);
    changes.memory("SoftBytes", published.soft_bytes, now.soft_bytes);
    changes.memory("OpaqueLimitBytes", published.opaque_limit_bytes, now.opaque_limit_bytes);
    changes.memory("TransparentLimitBytes", published.transparent_limit_bytes, now.transparent_limit_bytes);
    changes.share("ExpectedSlowdown", published.expected_slowdown, now.expected_slowdown, min_slowdown);
    changes.share("MeasuredStall", published.measured_stall, now.measured_stall, min_stall);
    changes.exact("LastReturnFaults", published.last_return_faults, now.last_return_faults);
    changes.exact("OwnerDecided", published.owner_decided, now.owner_decided);
    changes.exact("Caps", published.caps, now.caps);
    changes.exact("Source", published.source, now.source);
    changes.exact("SourceReason", published.source_reason, now.source_reason);
    return std::move(changes).names();
}

std::vector<std::string> take_changes(Contribution& published, const Contribution& now, std::uint64_t total_bytes) {
    Changes changes(total_bytes);
    changes.memory("MemoryBytes", published.memory_bytes, now.memory_bytes);
    changes.exact("State", published.state, now.state);
    changes.exact("Weight", published.weight, now.weight);
    changes.memory("FarBytes", published.far_bytes, now.far_bytes);
    return std::move(changes).names();
}

bool Pace::may(core::AwakeTime now) {
    if (last_ && now - *last_ < period_) {
        due_ = *last_ + period_;
        return false;
    }
    due_.reset();
    return true;
}

void Retry::failed(core::AwakeTime now) {
    due_ = now + wait_;
    wait_ = std::min(2 * wait_, max_);
}

}  // namespace tmm::bus
