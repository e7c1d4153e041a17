// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the daemon tells of itself.
#include <algorithm>

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

core::Snapshot Daemon::snapshot(const core::Moment& now) const {
    core::Snapshot snapshot;
    snapshot.trouble = !last_problem_.empty();
    snapshot.kind = given_.kind;
    snapshot.reason = snapshot.trouble ? last_problem_ : given_.reason;
    snapshot.pressed = !snapshot.trouble && given_.pressed;
    snapshot.will = will_.giving().will(now);
    snapshot.administrators = config_.giving;
    snapshot.measured_stall = accounts_.stall();
    snapshot.given_byte_seconds = accounts_.history().given_byte_seconds();
    snapshot.last_return_faults = accounts_.last_return_faults();
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

    const core::ReturnBurst& returns = policy_.returns();
    snapshot.returns = returns.returns();
    const core::BackedHistogram& minute = returns.accesses(core::ReturnBurst::first_minute);
    const core::Pages limit = std::min(given_.opaque_limit, usage.total);
    const auto beyond = [&](const core::ByBacking& weights) {
        const core::LruHistogram cost = minute.weighted(weights);
        return cost.misses(limit) - cost.misses(usage.total);
    };
    snapshot.expected_return_misses = beyond({1, 1});
    snapshot.expected_return_stall = core::Seconds(beyond(policy_.latency().mean()));
    return snapshot;
}

}  // namespace tmm::app
