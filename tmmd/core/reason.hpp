// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reason: why a decision is as it is. It holds a code and quantities, no sentence: tmmd/words/ and the window make one, each in
// its language and units. Plain values; pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

enum class ReasonCode : std::uint8_t {
    // Of the policy.
    learning,    // nothing is known yet
    measured,    // the limits follow what was learned
    corrected,   // the goal was violated: the opaque limit was corrected at once
    no_samples,  // the kernel does not report which pages are used
    // Of the owner's settings.
    off,
    paused,  // until resumed
    paused_for_a_time,
    quiet_hours,
    on_battery,
    mains_unknown,     // a condition asks for mains power, and nothing tells whether there is
    in_use,            // a condition asks for nobody at the machine
    presence_unknown,  // the same, and nothing tells whether somebody is there
    // Of the hold.
    pressure,         // opaque tasks wait for memory
    compressed_swap,  // swap in memory leaves opaque programs too little
    lack,             // opaque programs lack memory that they need: it is evicted from contributions
};

// Returns the word for the bus: "learning", "paused-for-a-time".
std::string_view name_of(ReasonCode code);

// The quantities that a code does not use keep their defaults.
struct Reason {
    ReasonCode code = ReasonCode::learning;

    Pages total{0};  // of measured, corrected, compressed_swap and lack: all memory

    // Of measured and corrected.
    Pages need{0};
    Pages opaque_limit{0};
    Pages allowed{0};
    std::optional<double> expected_misses_per_s;  // none: not known yet
    bool histogram_kept = false;                  // nobody used the machine, so the period taught nothing
    std::optional<Pages> cap;                     // only if it makes allowed smaller

    bool by_administrator = false;  // the condition is one of tmmd.conf
    std::string quiet_hours;        // "HH:MM-HH:MM"
    Seconds idle_after{0};          // of in_use
    double stall = 0;               // of pressure, in [0, 1]; 0 for a moment's
    bool for_a_moment = false;      // the pressure has just begun
    Pages swap{0};                  // of compressed_swap: the memory that swap takes
    Pages lack{0};                  // of lack: the memory that is lacking

    bool operator==(const Reason&) const = default;
};

// Returns whether people would read the same in both: the same words, and quantities that differ by less than 0.5 % of all memory
// or of a rate.
bool alike(const Reason& one, const Reason& other);

}  // namespace tmm::core
