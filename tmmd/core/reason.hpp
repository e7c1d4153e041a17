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
    learning,   // there is no histogram yet
    measured,   // the limits follow the histogram
    corrected,  // the goal was violated: the opaque limit was raised at once
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
};

// Returns the word for the bus: "learning", "paused-for-a-time".
std::string_view name_of(ReasonCode code);

// The origin of the need.
enum class NeedFrom : std::uint8_t {
    histogram,
    all_used,  // little is known yet: all pages used so far count
    a_return,  // the return from a break needs the most
};

// Returns "histogram", "all-used", "return".
std::string_view name_of(NeedFrom origin);

// The quantities that a code does not use keep their defaults.
struct Reason {
    ReasonCode code = ReasonCode::learning;

    Pages total{0};  // of measured, corrected and compressed_swap: all memory

    // Of measured and corrected.
    Pages need{0};
    Pages opaque_limit{0};
    Pages allowed{0};
    NeedFrom need_from = NeedFrom::histogram;
    Pages uncertainty{0};                         // the part of the limit that an uncertain sample needs; 0: the margin is enough
    std::optional<double> expected_slowdown;      // 0.01 is 1 %
    std::optional<double> expected_misses_per_s;  // instead, if the objective counts misses
    double avoidable_misses_per_s = 0;            // of corrected
    bool histogram_kept = false;                  // nobody used the machine, so the epoch taught nothing
    std::optional<Pages> cap;                     // only if it makes allowed smaller

    bool by_administrator = false;  // the condition is one of tmmd.conf
    std::string quiet_hours;        // "HH:MM-HH:MM"
    Seconds idle_after{0};          // of in_use
    double stall = 0;               // of pressure, in [0, 1]
    Pages swap{0};                  // of compressed_swap: the memory that swap takes

    bool operator==(const Reason&) const = default;
};

// Returns whether people would read the same in both: the same words, and quantities that differ by less than 0.5 % of all memory
// or of a rate.
bool alike(const Reason& one, const Reason& other);

}  // namespace tmm::core
