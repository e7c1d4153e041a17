// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tick: the one step in which everything is decided: Wanted step(Reading). tmmd calls it once a second, and between two seconds
// for an alarm of the kernel or a command of the owner. tmm-replay and experiments/02-days call the same. Pure: clocks come with
// the reading. Not thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tmmd/core/giving/giving.hpp"
#include "tmmd/core/moment.hpp"
#include "tmmd/core/presence.hpp"
#include "tmmd/core/soft/division.hpp"
#include "tmmd/core/tick/epochs.hpp"
#include "tmmd/core/tick/reading.hpp"
#include "tmmd/core/tick/wanted.hpp"

namespace tmm::core {

struct TickParameters {
    EpochParameters epochs;
    GivingParameters giving;
};

class Tick {
public:
    // Needs that are older protect the wrong memory (experiments/02-days). To find them in the tree of cgroups takes a walk.
    static constexpr std::chrono::seconds keeps_period{10};

    // installed: memory of the machine.
    Tick(const TickParameters& parameters, Pages installed);

    // Takes effect at the next step; what was learned is kept.
    void set_parameters(const TickParameters& parameters);

    // Returns what shall be from now on. readings come in the order of time.
    const Wanted& step(const Reading& reading);

    // Call it when the source was opened again: its keys mean other pages.
    void restart();

    // The owner's settings; see Giving.
    void apply(const OwnerCommand& command, const Moment& now);
    void restore_settings(const Settings& settings, const Moment& now);
    [[nodiscard]] Settings settings(const Moment& now) const { return giving_.settings(now); }

    // As of the last step; before the first, the wish for a scan alone.
    [[nodiscard]] const Wanted& wanted() const { return wanted_; }
    // The policy's last decision, with the usage of memory at that time. None before the first.
    [[nodiscard]] const std::optional<PolicyStep>& latest() const { return latest_; }

    [[nodiscard]] const Policy& policy() const { return epochs_.policy(); }
    // What was learned; see Policy.
    [[nodiscard]] std::string save_state() const { return epochs_.save_state(); }
    Result<void> restore_state(std::string_view text) { return epochs_.restore_state(text); }

private:
    [[nodiscard]] GivingInputs inputs_of(const Reading& reading, const Presence& presence) const;
    void renew_keeps(const Reading& reading);
    void renew_asks();

    TickParameters parameters_;
    Epochs epochs_;
    PresenceWatch people_;
    Giving giving_;
    SoftDivision soft_;
    Wanted wanted_;
    std::optional<PolicyStep> latest_;
    bool scanned_ = false;  // since the keeps were renewed
};

}  // namespace tmm::core
