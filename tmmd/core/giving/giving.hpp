// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Giving: the owner's will. The policy says what could be given; this says what is: nothing while the owner has it off or paused
// or one of the owner's conditions is not met, or while the owner's programs wait for memory or would have to, and never more
// than the owner allows. Pure: clocks come in as a Moment. Called by app/ at each tick and when the owner says something. Not
// thread-safe.
//
// How long a pause lasts is counted by a clock that goes on while the machine sleeps and that nobody sets: half an hour is half
// an hour, whatever happens to the clock on the wall. That one counts only across a restart of the daemon, and then a pause
// never gets longer than it was asked to be.
//
// A condition that cannot be checked is not met: in doubt nothing is given.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tmmd/core/giving/caps.hpp"
#include "tmmd/core/giving/owner_command.hpp"
#include "tmmd/core/giving/pressure_rule.hpp"
#include "tmmd/core/giving/swap_room.hpp"
#include "tmmd/core/moment.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/core/policy/policy.hpp"

namespace tmm::core {

// The administrator's. Caps bound, whatever the owner says: the stricter of both counts.
struct GivingParameters {
    Caps caps;
    Seconds idle_after{300};
    PressureParameters pressure;
};

// What is to be kept of the owner's will when the daemon ends.
struct Settings {
    bool on = true;
    bool paused = false;
    std::optional<WallTime> paused_until;     // none: until resumed
    std::chrono::nanoseconds pause_asked{0};  // its whole length, with paused_until
    Caps caps;

    bool operator==(const Settings&) const = default;
};

// Longer ones are cut to this. (A year.)
inline constexpr std::chrono::hours max_pause{366 * 24};

enum class GivingKind : std::uint8_t {
    giving,
    waiting,  // on, but the policy has nothing to give, or a condition is not met
    paused,
    off,
};

// "giving", "waiting", "paused", "off"
std::string_view name_of(GivingKind kind);

// What contributions may do.
enum class Hold : std::uint8_t {
    none,    // run
    freeze,  // stand still
    evict,   // stand still, and give their memory back at once: the owner asked for that. Who merely comes back to work does not
             // want the disk to be busy with it
};

struct GivingInputs {
    Decision decision;  // the policy's latest
    Pages total = 0;    // that the limits divide
    std::uint64_t page_bytes = 4096;
    std::optional<Seconds> idle_for;  // since somebody last touched the machine; none: not known
    std::optional<bool> on_mains;     // none: not known
    std::optional<double> stall;      // share of the last minute in which opaque tasks waited for memory; none: not known
    bool contributions = false;       // whether there are any
    // Of swap that is kept in memory, and what the limits could divide, both as of now; 0: there is no such swap, or not known.
    Pages swap_in_memory = 0;
    Pages total_now = 0;
};

struct GivingDecision {
    GivingKind kind = GivingKind::waiting;
    Hold hold = Hold::none;
    // With the policy's where it may give all of that. Where it may not, they add up to all memory: what is not given is the
    // owner's. Nothing given is a transparent limit of 0: contributions are the first to lose memory, down to their last page.
    Pages opaque_limit = 0;
    Pages transparent_limit = 0;
    bool pressed = false;  // contributions stand still because opaque tasks wait for memory
    std::string reason;    // one sentence for people

    bool operator==(const GivingDecision&) const = default;
};

class Giving {
public:
    // New ones take effect at the next step.
    void set_parameters(const GivingParameters& parameters) {
        parameters_ = parameters;
        pressure_.set_parameters(parameters.pressure);
    }

    // Takes effect at the next step.
    void apply(const OwnerCommand& command, const Moment& now);

    GivingDecision step(const GivingInputs& inputs, const Moment& now);

    // For people and for keeping; the wall time is worked out anew each time.
    [[nodiscard]] Settings settings(const Moment& now) const;
    // Replaces all that was said before. A pause whose time is over has ended.
    void restore(const Settings& settings, const Moment& now);

    // Whether a condition needs to know it: the answers cost something.
    [[nodiscard]] bool asks_for_idle() const { return caps_.only_when_idle || parameters_.caps.only_when_idle; }
    [[nodiscard]] bool asks_for_mains() const { return caps_.only_on_mains || parameters_.caps.only_on_mains; }

private:
    struct PauseUnderWay {
        std::optional<TimePoint> until;  // by Moment::elapsed; none: until resumed
        std::chrono::nanoseconds asked{0};
    };

    void start_pause(std::optional<std::chrono::nanoseconds> length, const Moment& now);
    [[nodiscard]] std::string unmet_condition(const GivingInputs& inputs, const Moment& now) const;
    [[nodiscard]] Pages max_given(const GivingInputs& inputs) const;

    GivingParameters parameters_;
    bool on_ = true;
    std::optional<PauseUnderWay> pause_;
    Caps caps_;
    PressureRule pressure_;
    SwapRoom swap_room_;
};

}  // namespace tmm::core
