// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The members of dbus/*.xml, once for all programs: tmmctl reads them by sdbus-c++, tmm-boinc by sd-bus, tmm-tray by QtDBus, each
// into its own types. Whatever has fields of these names will do. This header knows no bus.
#pragma once

#include <tuple>

#include "tmmd/wire/types.hpp"

namespace tmm::wire {

// Calls visit(name, value) for each property of the daemon.
template <typename Status, typename Visit>
void for_each_property(Status& status, const Visit& visit) {
    visit("Version", status.version);
    visit("State", status.state);
    visit("Reason", status.reason);
    visit("ReasonCode", status.reason_code);
    visit("ReasonValues", status.reason_values);
    visit("PausedUntil", status.paused_until_us);
    visit("TotalBytes", status.total_bytes);
    visit("OpaqueBytes", status.opaque_bytes);
    visit("TransparentBytes", status.transparent_bytes);
    visit("FreeBytes", status.free_bytes);
    visit("SoftBytes", status.soft_bytes);
    visit("OpaqueLimitBytes", status.opaque_limit_bytes);
    visit("TransparentLimitBytes", status.transparent_limit_bytes);
    visit("ExpectedSlowdown", status.expected_slowdown);
    visit("MeasuredStall", status.measured_stall);
    visit("LastReturnFaults", status.last_return_faults);
    visit("OwnerDecided", status.owner_decided);
    visit("Caps", status.caps);
    visit("Source", status.source);
    visit("SourceReason", status.source_reason);
    visit("GivenByteSeconds", status.given_byte_seconds);
}

// Calls visit(key, value) for each entry of the property Caps and of the argument of SetCaps().
template <typename Caps, typename Visit>
void for_each_cap(Caps& caps, const Visit& visit) {
    visit(key::max_bytes, caps.max_bytes);
    visit(key::max_percent, caps.max_percent);
    visit(key::only_when_idle, caps.only_when_idle);
    visit(key::only_on_mains, caps.only_on_mains);
    visit(key::quiet_hours, caps.quiet_hours);
}

// Return references to the fields of a row in the order of its struct on the bus.
inline constexpr auto contribution = [](auto& row) {
    return std::tie(row.object, row.name, row.user, row.memory_bytes, row.state, row.weight, row.far_bytes);
};
inline constexpr auto soft_heap = [](auto& row) {
    return std::tie(row.process, row.user, row.granted_bytes, row.used_bytes, row.footprint_bytes, row.rebuilding, row.gain,
                    row.hits, row.predicted);
};
inline constexpr auto soft_weight = [](auto& row) { return std::tie(row.user, row.weight); };
inline constexpr auto history_row = [](auto& row) {
    return std::tie(row.start_us, row.measured_s, row.opaque_bytes, row.transparent_bytes, row.free_bytes, row.opaque_limit_bytes,
                    row.transparent_limit_bytes, row.stall, row.return_faults);
};
inline constexpr auto decision = [](auto& row) { return std::tie(row.first_us, row.last_us, row.times, row.kind, row.reason); };
// As ListDecisions() has it.
inline constexpr auto told_decision = [](auto& row) {
    return std::tuple_cat(decision(row), std::tie(row.reason_code, row.reason_values));
};

}  // namespace tmm::wire
