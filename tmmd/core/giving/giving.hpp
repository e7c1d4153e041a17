// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Giving: applies the owner's settings to the policy's decision. It gives nothing while it is off or paused, and while a
// condition is not met. The same holds while opaque programs wait for memory or soon would. It never gives more than the caps.
// Pure: clocks come in as a Moment. app/ calls it at each tick and for each command of the owner. Not thread-safe.
//
// The elapsed clock times a pause. It goes on while the machine sleeps, and nobody sets it: half an hour stays half an hour. The
// wall clock counts only across a restart of the daemon, and never makes a pause longer than its length.
//
// A condition that cannot be checked is not met: in doubt nothing is given.
//
// These hold contributions. The first of them that has a reason wins:
//
// | reason | trigger | hold | it ends | at most |
// | --- | --- | --- | --- | --- |
// | off, paused | a command of the owner | freeze, and evict all | with the next command, or the pause's time | a year |
// | a condition | quiet hours, battery, presence, of the owner or the administrator | freeze | when it is met | - |
// | pressure | opaque tasks waited for a tenth of the last minute | freeze | after a minute, when they wait no more | 30 min |
// | swap in memory | it leaves opaque programs too little | freeze | with 1/50 of memory more | - |
// | a stall begins | the kernel's alarm | freeze, the limits stay | after a second, when they wait no more | 30 s |
// | lack | a return, or pressure, and opaque programs lack memory | freeze, and evict the lack | when they have it | 75 s |
//
// Pressure and stalls back off (BackOff), and in an absence they have a budget (HoldBudget).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tmmd/core/giving/caps.hpp"
#include "tmmd/core/giving/holds/hold_budget.hpp"
#include "tmmd/core/giving/holds/pressure_rule.hpp"
#include "tmmd/core/giving/holds/return_rule.hpp"
#include "tmmd/core/giving/holds/stall_clamp.hpp"
#include "tmmd/core/giving/holds/swap_room.hpp"
#include "tmmd/core/giving/owner_command.hpp"
#include "tmmd/core/moment.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/core/policy/policy.hpp"
#include "tmmd/core/presence.hpp"
#include "tmmd/core/reason.hpp"
#include "tmmd/core/soft/soft_shares.hpp"

namespace tmm::core {

// The administrator's parameters. The stricter of these caps and the owner's count.
struct GivingParameters {
    Caps caps;
    // Time without presence after which the machine is idle: for only_when_idle, and for the bound of holds in an absence.
    Seconds idle_after{300};
    PressureParameters pressure;
};

// The owner's settings, as the daemon keeps them across restarts.
struct Settings {
    bool on = true;
    bool paused = false;
    std::optional<WallTime> paused_until;     // none: until resumed
    std::chrono::nanoseconds pause_asked{0};  // its total length, if paused_until is set
    Caps caps;
    SoftShares soft;

    bool operator==(const Settings&) const = default;
};

// A longer pause is shortened to this (a year).
inline constexpr std::chrono::hours max_pause{366 * 24};

enum class GivingKind : std::uint8_t {
    giving,
    waiting,  // on, but the policy has nothing to give, a condition is not met, or contributions are held
    paused,
    off,
};

// "giving", "waiting", "paused", "off"
std::string_view name_of(GivingKind kind);

// The hold of contributions.
enum class Hold : std::uint8_t {
    none,    // they run
    freeze,  // they are frozen
    evict,   // they are frozen and lose their memory at once: only for a command of the owner, since it keeps the disk busy
};

struct GivingInputs {
    Decision decision;  // the latest one of the policy
    Pages total{0};     // memory that the limits divide
    Bytes page_bytes{4096};
    Presence presence;
    std::optional<bool> on_mains;      // none: not known
    std::optional<double> stall;       // share of the last minute in which opaque tasks waited for memory; none: not known
    bool contributions = false;        // whether there are any
    StallSigns signs;                  // of a stall that has just begun
    std::optional<MemoryUsage> usage;  // now; none: not known
    bool evicting = false;             // GivingDecision::evict is under way
    SwapInMemory swap;                 // now: zram, zswap
    Pages files{0};                    // pages of files in memory now; 0: not known
};

struct GivingDecision {
    GivingKind kind = GivingKind::waiting;
    Hold hold = Hold::none;
    // The policy's limits if Giving allows all of them. Otherwise they add up to all memory: the owner has the rest. With a
    // transparent limit of 0 nothing is given, and contributions lose memory first, down to their last page.
    Pages opaque_limit{0};
    Pages transparent_limit{0};
    // Contributions are frozen because opaque tasks waited for memory in the last minute. A clamp is too short for a notice.
    bool under_pressure = false;
    // The pages that contributions may swap to memory beyond those there; none: not known, or any number if nothing is given.
    std::optional<Pages> swap_growth{};
    bool evicting_frees = true;  // otherwise the kernel would evict opaque memory to no end
    Pages evict{0};              // to be evicted from held contributions in one request; only in the step that asks for it
    bool evict_gave_up = false;  // the request took too long, and contributions no longer wait for it; in one step
    Reason reason;

    bool operator==(const GivingDecision&) const = default;
};

// A pause that has begun.
struct PauseUnderWay {
    std::optional<ElapsedTime> until;  // none: until resumed
    std::chrono::nanoseconds asked{0};
};

class Giving {
public:
    // Takes effect at the next step.
    void set_parameters(const GivingParameters& parameters) {
        parameters_ = parameters;
        pressure_.set_parameters(parameters.pressure);
    }

    // Takes effect at the next step.
    void apply(const OwnerCommand& command, const Moment& now);

    // Returns the limits to apply and the hold, with the reason.
    GivingDecision step(const GivingInputs& inputs, const Moment& now);

    // Returns the settings, to show and to save. The wall time of a pause's end is computed from now.
    [[nodiscard]] Settings settings(const Moment& now) const;
    // Replaces all settings. A pause whose time is over has ended.
    void restore(const Settings& settings, const Moment& now);

    // The owner's wishes for soft memory, which Tick heeds.
    [[nodiscard]] const SoftShares& soft_shares() const { return soft_; }

    // Return whether the next step needs this input, which is costly to read: for a condition, or as StallClamp says.
    [[nodiscard]] bool asks_for_mains() const { return caps_.only_on_mains || parameters_.caps.only_on_mains; }
    [[nodiscard]] bool asks_for_waited() const { return clamp_.asks_for_waited(); }

private:
    // Whether opaque tasks wait for memory, so that contributions are frozen.
    enum class Stall : std::uint8_t { none, begins, lasts };

    void start_pause(std::optional<std::chrono::nanoseconds> length, const Moment& now);
    GivingDecision decide(const GivingInputs& inputs, const Moment& now);
    [[nodiscard]] std::optional<GivingDecision> forbidden(const GivingInputs& inputs, const Moment& now);
    [[nodiscard]] std::optional<Reason> unmet_condition(const GivingInputs& inputs, const Moment& now) const;
    [[nodiscard]] Pages max_given(const GivingInputs& inputs) const;
    [[nodiscard]] Stall step_pressure(const GivingInputs& inputs, const Moment& now);
    [[nodiscard]] ReturnAction step_return(const GivingInputs& inputs, Stall stall, const Moment& now);

    GivingParameters parameters_;
    bool on_ = true;
    std::optional<PauseUnderWay> pause_;
    Caps caps_;
    SoftShares soft_;
    HoldBudget budget_;
    PressureRule pressure_;
    StallClamp clamp_;
    ReturnRule return_;
    bool held_for_pressure_ = false;  // since the last step
    SwapRoom swap_room_;
};

}  // namespace tmm::core
