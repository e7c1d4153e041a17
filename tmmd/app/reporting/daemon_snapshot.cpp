// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the daemon tells of itself.
#include <algorithm>
#include <utility>

#include "tmmd/app/daemon.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::app {

namespace {

core::Pages free_pages(const core::MemoryUsage& usage) {
    return usage.total - std::min(usage.total, usage.opaque + usage.transparent);
}

}  // namespace

// Nothing before the first decision, and while no limit is in force.
std::optional<core::Usage> Daemon::usage_in_force() const {
    if (!latest_ || !written_)
        return std::nullopt;
    const auto bytes = [](core::Pages pages) { return static_cast<double>(pages) * static_cast<double>(os::page_bytes()); };
    const core::MemoryUsage& usage = latest_->usage;
    return core::Usage{.opaque = bytes(usage.opaque),
                       .transparent = bytes(usage.transparent),
                       .soft = 0,
                       .free = bytes(free_pages(usage)),
                       .opaque_limit = bytes(written_->opaque),
                       .transparent_limit = bytes(written_->transparent)};
}

Condition Daemon::condition() const {
    const bool trouble = !last_problem_.empty();
    return {.trouble = trouble, .pressed = !trouble && given_.pressed, .reason = trouble ? last_problem_ : given_.reason};
}

// Worked out when something was decided, not at each look: it takes as long as all the rest of one.
void Daemon::expect_return() {
    const core::Pages total = latest_ ? latest_->usage.total : 0;
    const core::Pages limit = std::min(given_.opaque_limit, total);
    if (expected_return_ && expected_return_->limit == limit)
        return;
    const core::BackedHistogram& minute = policy_.returns().accesses(core::ReturnBurst::first_minute);
    const auto beyond = [&](const core::ByBacking& weights) {
        const core::LruHistogram cost = minute.weighted(weights);
        return cost.misses(limit) - cost.misses(total);
    };
    expected_return_ = {limit, beyond({1, 1}), core::Seconds(beyond(policy_.latency().mean()))};
}

Snapshot Daemon::snapshot(const core::Moment& now) const {
    Snapshot snapshot;
    Condition condition = this->condition();
    snapshot.trouble = condition.trouble;
    snapshot.kind = given_.kind;
    snapshot.reason = std::move(condition.reason);
    snapshot.pressed = condition.pressed;
    snapshot.settings = owner_.giving().settings(now);
    snapshot.administrators = config_.giving;
    snapshot.measured_stall = usage_recorder_.stall();
    snapshot.given_byte_seconds = usage_recorder_.history().given_byte_seconds();
    snapshot.last_return_faults = usage_recorder_.last_return_faults();
    if (adapters_)
        snapshot.source = adapters_->source->description();
    if (written_) {
        snapshot.opaque_limit_bytes = written_->opaque * os::page_bytes();
        snapshot.transparent_limit_bytes = written_->transparent * os::page_bytes();
    }
    if (!latest_)
        return snapshot;
    const core::MemoryUsage& usage = latest_->usage;
    snapshot.total_bytes = usage.total * os::page_bytes();
    snapshot.opaque_bytes = usage.opaque * os::page_bytes();
    snapshot.transparent_bytes = usage.transparent * os::page_bytes();
    snapshot.free_bytes = free_pages(usage) * os::page_bytes();
    snapshot.expected_slowdown = latest_->decision.expected_slowdown;

    snapshot.returns = policy_.returns().returns();
    if (expected_return_) {
        snapshot.expected_return_misses = expected_return_->misses;
        snapshot.expected_return_stall = expected_return_->stall;
    }
    return snapshot;
}

}  // namespace tmm::app
