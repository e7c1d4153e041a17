// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes the daemon's snapshot.
#include <algorithm>
#include <utility>

#include "tmmd/app/daemon.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/words/reason_text.hpp"

namespace tmm::app {

namespace {

Bytes bytes_of(core::Pages pages) {
    return core::to_bytes(pages, os::page_bytes());
}

}  // namespace

// Returns nothing before the first decision, and while no limit is in force.
std::optional<core::Usage> Daemon::usage_in_force() const {
    if (!tick_.latest() || !kernel_.in_force())
        return std::nullopt;
    const auto bytes = [](core::Pages pages) { return bytes_of(pages).as_double(); };
    const core::MemoryUsage& usage = tick_.latest()->usage;
    return core::Usage{.opaque = bytes(usage.opaque),
                       .transparent = bytes(usage.transparent),
                       .free = bytes(free_pages(usage)),
                       .opaque_limit = bytes(kernel_.in_force()->opaque),
                       .transparent_limit = bytes(kernel_.in_force()->transparent)};
}

Condition Daemon::condition() const {
    const std::string& problem = kernel_.problem();
    const bool trouble = !problem.empty();
    return {.trouble = trouble,
            .no_kernel = trouble && kernel_.is_missing(),
            .under_pressure = !trouble && tick_.wanted().given.under_pressure,
            .reason = trouble ? problem : words::sentence(tick_.wanted().given.reason, os::page_bytes())};
}

Snapshot Daemon::snapshot(const core::Moment& now) const {
    Snapshot snapshot;
    Condition condition = this->condition();
    snapshot.trouble = condition.trouble;
    snapshot.no_kernel = condition.no_kernel;
    snapshot.kind = tick_.wanted().given.kind;
    snapshot.sentence = std::move(condition.reason);
    snapshot.reason = tick_.wanted().given.reason;
    snapshot.under_pressure = condition.under_pressure;
    snapshot.settings = tick_.settings(now);
    snapshot.owner_decided = owner_.decided();
    snapshot.administrators = config_.giving;
    snapshot.measured_stall = usage_recorder_.stall();
    snapshot.given_byte_seconds = usage_recorder_.history().given_byte_seconds();
    snapshot.last_return_faults = usage_recorder_.last_return_faults();
    if (kernel_.is_open()) {
        snapshot.source_id = kernel_.source().traits().id;
        snapshot.source_description = kernel_.source().description();
    }
    if (kernel_.in_force()) {
        snapshot.opaque_limit_bytes = bytes_of(kernel_.in_force()->opaque);
        snapshot.transparent_limit_bytes = bytes_of(kernel_.in_force()->transparent);
    }
    if (!tick_.latest())
        return snapshot;
    const core::MemoryUsage& usage = tick_.latest()->usage;
    snapshot.total_bytes = bytes_of(usage.total);
    snapshot.opaque_bytes = bytes_of(usage.opaque);
    snapshot.transparent_bytes = bytes_of(usage.transparent);
    snapshot.free_bytes = bytes_of(free_pages(usage));
    snapshot.expected_slowdown = tick_.latest()->decision.expected_slowdown.value_or(snapshot.expected_slowdown);
    return snapshot;
}

}  // namespace tmm::app
