// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OwnerPresence: how long ago somebody last touched the machine. It looks at counters that move with keyboards, mice, touch pads
// and terminals, never at what was typed: docs/decisions/2026-11-21-presence-from-kernel-counters.md says which, and what they
// miss. Called from one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/core/clocks.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

using InputCounters = std::map<std::string, std::uint64_t>;  // by device

// Interrupts of devices that only people cause, in the text of /proc/interrupts: PS/2 keyboards, mice and touch pads (i8042), and
// those with one of the names given. Summed over processors. Pure; what is no such line is left out.
InputCounters parse_input_interrupts(std::string_view interrupts, const std::vector<std::string>& names);

class OwnerPresence {
public:
    // root must outlive it.
    explicit OwnerPresence(const RootDir& root) : root_(root) {}

    // Time since the counters were last seen moving; since the first call, as long as they never did. They are read every five
    // seconds at most. Nothing: there is no counter on this machine, so nobody can tell.
    std::optional<core::Seconds> idle_for(core::ElapsedTime now);

private:
    [[nodiscard]] InputCounters read_counters() const;

    const RootDir& root_;
    InputCounters counters_;
    std::optional<core::ElapsedTime> last_poll_;
    core::ElapsedTime last_input_{};
};

}  // namespace tmm::os
