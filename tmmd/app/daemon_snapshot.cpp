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
    if (!latest_ || !written_)
        return std::nullopt;
    const auto bytes = [](core::Pages pages) { return bytes_of(pages).as_double(); };
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
    return {.trouble = trouble,
            .no_kernel = trouble && no_kernel_,
            .under_pressure = !trouble && given_.under_pressure,
            .reason = trouble ? problem : words::sentence(given_.reason, os::page_bytes())};
}

Snapshot Daemon::snapshot(const core::Moment& now) const {
    Snapshot snapshot;
    Condition condition = this->condition();
    snapshot.trouble = condition.trouble;
    snapshot.no_kernel = condition.no_kernel;
    snapshot.kind = given_.kind;
    snapshot.sentence = std::move(condition.reason);
    snapshot.reason = given_.reason;
    snapshot.under_pressure = condition.under_pressure;
    snapshot.settings = owner_.giving().settings(now);
    snapshot.owner_decided = owner_.decided();
    snapshot.administrators = config_.giving;
    snapshot.measured_stall = usage_recorder_.stall();
    snapshot.given_byte_seconds = usage_recorder_.history().given_byte_seconds();
    snapshot.last_return_faults = usage_recorder_.last_return_faults();
    if (adapters_) {
        snapshot.source_id = adapters_->source->id();
        snapshot.source_description = adapters_->source->description();
    }
    if (written_) {
        snapshot.opaque_limit_bytes = bytes_of(written_->opaque);
        snapshot.transparent_limit_bytes = bytes_of(written_->transparent);
    }
    if (!latest_)
        return snapshot;
    const core::MemoryUsage& usage = latest_->usage;
    snapshot.total_bytes = bytes_of(usage.total);
    snapshot.opaque_bytes = bytes_of(usage.opaque);
    snapshot.transparent_bytes = bytes_of(usage.transparent);
    snapshot.free_bytes = bytes_of(free_pages(usage));
    snapshot.expected_slowdown = latest_->decision.expected_slowdown.value_or(snapshot.expected_slowdown);
    return snapshot;
}

}  // namespace tmm::app
