// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Policy: from what an epoch showed to the limits of the two classes. Pure: time comes in as an argument, so that a recorded
// session gives the same decisions again. Called by app/ and replay/ once an epoch, and by tests. Not thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "tmmd/core/clocks.hpp"
#include "tmmd/core/histogram/aged_histogram.hpp"
#include "tmmd/core/histogram/epoch_stack.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/core/policy/beta_rule.hpp"
#include "tmmd/core/policy/miss_latency.hpp"
#include "tmmd/core/policy/return_burst.hpp"
#include "tmmd/core/policy/stall_rule.hpp"

namespace tmm::core {

enum class Objective {
    beta,   // misses, as in the paper: BetaRule
    stall,  // time spent waiting for them: StallRule and, after a break, ReturnGoal
};

struct PolicyParameters {
    AgeingParameters ageing;
    Objective objective = Objective::beta;
    BetaRule rule;
    StallRule stall_rule;
    ReturnParameters returns;
    ReturnGoal return_goal;
    double min_opaque = 0.10;  // share of memory that opaque applications always keep, in [noise_depth, 1]; section 2.5
    double margin = 0.05;      // share of memory added to what they need; docs/policy.md says why
    double confidence = 1.9;   // standard errors of the estimate that the margin has to cover; 1.9: 95 % (Student, 7 degrees)
    Seconds max_epoch{300};    // what claims to be longer was an interrupted one: it counts as so long
};

enum class DecisionKind {
    learning,   // no histogram yet: opaque memory is not limited
    measured,   // limits by the histogram, which may be older than this epoch
    corrected,  // the goal was violated in this epoch: histogram and limits follow at once
};

struct Decision {
    DecisionKind kind = DecisionKind::learning;
    AgedHistogram::Outcome ageing = AgedHistogram::Outcome::collecting;
    bool busy = false;   // opaque applications were at work in the last epoch: more than noise
    Pages footprint{0};  // pages touched in it
    Pages opaque_limit{0};
    Pages transparent_limit{0};
    Pages opaque_wanted{0};  // what opaque applications need, with the margin: more than there is, maybe; 0: not known yet
    // Opaque pages that came back in this epoch and would have stayed, had opaque memory had all; a second.
    double avoidable_misses_per_s = 0;
    // Of opaque applications at the limit, beyond those that they would have with all memory.
    double expected_misses_per_s = 0;
    double expected_slowdown = 0;  // what waiting for those adds to the time that the applications are active: 0.01 is 1 %
    std::string reason;            // one sentence for people
};

class Policy {
public:
    // installed_pages: memory of the machine; sets the resolution of the histograms (1/1024 of it), until the machine has become
    // much larger or smaller.
    Policy(const PolicyParameters& parameters, Pages installed_pages);

    // Ends an epoch that began at the last call's now; or, if the sample was not scanned, looks in between whether the goal is
    // kept. The first call only starts the clock and takes stock of the pages.
    Decision step(const EpochSample& sample, const MemoryUsage& usage, AwakeTime now);

    // The sample source is a new one, its keys mean other pages: forgets the pages, keeps what was learned from them.
    void restart_sampling() { stack_ = EpochStack(); }

    // New parameters take effect at the next step; what was learned is kept.
    void set_parameters(const PolicyParameters& parameters);

    // What was learned, as text for save_state() and back (policy_state.cpp). Error of restore: EINVAL with the line; nothing is
    // changed then. Memory of another size than before is no error.
    [[nodiscard]] std::string save_state() const;
    Result<void> restore_state(std::string_view text);

    [[nodiscard]] const BackedHistogram& rates() const { return histogram_.rates().all; }
    [[nodiscard]] const MissLatency& latency() const { return latency_; }
    [[nodiscard]] const ReturnBurst& returns() const { return returns_; }
    [[nodiscard]] std::size_t known_samples() const { return stack_.known_samples(); }

private:
    struct Need {
        Pages pages{0};             // what opaque applications need
        Pages uncertainty{0};       // confidence standard errors of it
        bool for_returns = false;   // a return from a break needs the most
        bool for_all_used = false;  // little is known yet: all that was used so far
    };

    void follow_memory_size(Pages total);
    void end_epoch(const EpochSample& sample, Seconds length, Pages total, Decision& decision);
    [[nodiscard]] ByBacking add_refaults(const EpochSample& sample, const MemoryUsage& usage);
    [[nodiscard]] ByBacking cost_of_a_miss() const;
    [[nodiscard]] double allowed_cost(const LruHistogram& cost, Pages total) const;
    [[nodiscard]] Pages steady_need(const BackedHistogram& rates, Pages total) const;
    [[nodiscard]] Need opaque_need(Pages total) const;
    [[nodiscard]] std::string reason_for(const Decision& decision, const Need& need, Pages total) const;

    PolicyParameters parameters_;
    EpochStack stack_;
    GroupedHistogram positions_;  // of the pages referenced in one epoch
    BackedHistogram accesses_;    // of the epoch at hand: refaults so far, in the end all
    AgedHistogram histogram_;
    ReturnBurst returns_;
    MissLatency latency_;
    std::optional<AwakeTime> last_step_;
    Seconds since_scan_{0};
    Pages last_need_{0};  // opaque memory that the last decision held to be enough, without the margin; 0: none yet
};

}  // namespace tmm::core
