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
    const std::string& problem = problem_.current();
    const bool trouble = !problem.empty();
    return {.trouble = trouble, .pressed = !trouble && given_.pressed, .reason = trouble ? problem : given_.reason};
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
    if (adapters_) {
        snapshot.source_id = adapters_->source->id();
        snapshot.source_description = adapters_->source->description();
    }
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
    return snapshot;
}

}  // namespace tmm::app
