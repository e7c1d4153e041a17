// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Epochs: decides when the memory is to be scanned, and turns a scan, refaults in between, or much new memory into a decision of
// the policy. It owns the policy and its pace. Pure: time comes with the reading. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tmmd/core/clocks.hpp"
#include "tmmd/core/policy/epoch_pace.hpp"
#include "tmmd/core/policy/policy.hpp"
#include "tmmd/core/presence.hpp"
#include "tmmd/core/tick/reading.hpp"
#include "tmmd/core/tick/wanted.hpp"

namespace tmm::core {

struct EpochParameters {
    PolicyParameters policy;
    bool scan_always = false;  // each tick is an epoch
    bool fixed_rate = false;   // of sampling
};

class Epochs {
public:
    // installed: memory of the machine.
    Epochs(const EpochParameters& parameters, Pages installed) : parameters_(parameters), policy_(parameters.policy, installed) {}

    // Takes effect at the next step; what was learned is kept.
    void set_parameters(const EpochParameters& parameters);

    // Nobody counts as there any more, since the last touch at that time. The next decision is to know.
    void note_left(AwakeTime time) { left_at_ = time; }
    // A break has just ended. The next decision is to know, if it comes within the minute that counts as the return.
    void note_returned() { return_begins_ = true; }

    // Fills in scan, step, scanned and rate_change. reading: with a second. people: told of use where nothing tells of people.
    void step(const Reading& reading, const Presence& presence, PresenceWatch& people, Wanted& wanted);

    // Call it when the source was opened again: its keys mean other pages, and its next scan begins an epoch.
    void restart();

    [[nodiscard]] const Policy& policy() const { return policy_; }
    [[nodiscard]] std::string save_state() const { return policy_.save_state(); }
    // Error: as of Policy::restore_state().
    Result<void> restore_state(std::string_view text) { return policy_.restore_state(text); }

private:
    // The epoch is to end as soon as the source has its scan.
    struct Ending {
        Seconds own_cpu{0};  // of this process, before that
        Seconds idle_before{0};
    };

    void account(Seconds own_cpu);
    [[nodiscard]] PolicyStep decide(const Reading& reading, EpochSample sample, const Presence& presence, PresenceWatch& people);
    [[nodiscard]] bool took_memory(Pages opaque, AwakeTime now);
    [[nodiscard]] int adapt_pace(const PolicyStep& step);
    [[nodiscard]] bool wants_scan(const Reading& reading, Seconds elapsed);

    EpochParameters parameters_;
    Policy policy_;
    EpochPace pace_{PaceParameters()};
    std::string source_;  // id of the last scan's; empty before the first
    std::optional<AwakeTime> first_step_;
    std::optional<AwakeTime> last_tick_;
    std::optional<AwakeTime> last_step_;
    std::optional<AwakeTime> last_counted_;  // opaque_faults
    std::optional<AwakeTime> epoch_start_;
    std::optional<Ending> ending_;
    std::optional<AwakeTime> left_at_;
    bool return_begins_ = false;  // no decision knows yet
    bool in_use_ = true;          // the machine, in the last epoch
    Pages opaque_at_scan_{0};     // memory of opaque programs at the end of the last epoch
    // Since the last decision.
    Seconds active_{0};
    Seconds attended_{0};
    std::optional<Pages> evicted_;
    // Processor time of this process.
    std::optional<Seconds> scan_began_;  // the last scan, until its cost is known
    Seconds scan_cost_{0};               // of the last scan
    std::optional<Seconds> scan_ended_;  // all since then is for polls
    Seconds poll_cost_{0};               // between the last two scans
};

}  // namespace tmm::core
