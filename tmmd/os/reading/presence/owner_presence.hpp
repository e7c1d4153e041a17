// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OwnerPresence: tells core::PresenceRule of counters that move with keyboards, mice, touch pads and terminals. It never reads
// the input itself. docs/decisions/giving.md lists the counters, and what they miss. Called
// from one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/core/clocks.hpp"
#include "tmmd/core/presence_rule.hpp"

namespace tmm::os {

using InputCounters = std::map<std::string, std::uint64_t>;  // by device

// Returns the interrupts that only people cause, summed over processors. The devices are PS/2 keyboards, mice and touch pads
// (i8042), and those with one of the names. interrupts: the text of /proc/interrupts. It ignores all other lines. Pure.
InputCounters parse_input_interrupts(std::string_view interrupts, const std::vector<std::string>& names);

class OwnerPresence {
public:
    // root must outlive it.
    explicit OwnerPresence(const RootDir& root) : root_(root) {}

    // A reading visits each terminal and USB device.
    static constexpr core::Seconds default_max_age{5};

    // Returns the time since the last presence; nothing if it is unknown. It reads the counters if the last reading is max_age
    // old.
    std::optional<core::Seconds> idle_for(core::ElapsedTime now, core::Seconds max_age = default_max_age);

    // What desktops say besides. sessions: all that there are now.
    void see_sessions(const core::DesktopSessions& sessions, core::ElapsedTime now) { rule_.see_sessions(sessions, now); }

private:
    [[nodiscard]] InputCounters read_counters() const;

    const RootDir& root_;
    InputCounters counters_;
    std::optional<core::ElapsedTime> last_poll_;
    core::PresenceRule rule_;
};

}  // namespace tmm::os
