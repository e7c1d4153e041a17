// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Policy: turns the sample of an epoch into the limits of the two classes. Pure: time is an argument, so a recorded session gives
// the same decisions again. app/ and replay/ call it once an epoch, app/ also at polls. Not thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "tmmd/core/clocks.hpp"
#include "tmmd/core/histogram/aged_histogram.hpp"
#include "tmmd/core/histogram/epoch_stack.hpp"
#include "tmmd/core/histogram/page_ages.hpp"
#include "tmmd/core/histogram/reuse_table.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/core/policy/beta_rule.hpp"
#include "tmmd/core/policy/keep_rule.hpp"
#include "tmmd/core/policy/miss_latency.hpp"
#include "tmmd/core/policy/return_burst.hpp"
#include "tmmd/core/policy/stall_rule.hpp"
#include "tmmd/core/reason.hpp"

namespace tmm::core {

enum class Objective {
    paper,  // bounds misses exactly as the paper does: BetaRule without a floor, and no margin
    beta,   // bounds misses with a floor and a margin: BetaRule
    stall,  // bounds the time spent waiting for them: StallRule and, after a break, ReturnGoal
    reuse,  // keeps the pages that will likely be used again soon: KeepRule
};

struct PolicyParameters {
    AgeingParameters ageing;
    Objective objective = Objective::beta;
    BetaRule rule;
    StallRule stall_rule;
    ReturnParameters returns;
    ReturnGoal return_goal;
    KeepRule keep;
    double min_opaque = 0.10;  // share of memory that opaque programs always keep, in [noise_depth, 1]; section 2.5
    double margin = 0.05;      // share of memory added to the need; docs/policy.md says why
    double confidence = 1.9;   // standard errors of the need that the margin has to cover; 1.9: 95 % (Student, 7 degrees)
    Seconds max_epoch{300};    // a longer epoch was interrupted and counts as this long
};

enum class DecisionKind {
    learning,   // there is no histogram yet: opaque memory is not limited
    measured,   // the limits follow the histogram, which may be older than this epoch
    corrected,  // the goal was violated in this epoch: histogram and limits changed at once
};

struct Decision {
    DecisionKind kind = DecisionKind::learning;
    AgedHistogram::Outcome ageing = AgedHistogram::Outcome::collecting;
    bool busy = false;   // the accesses of the last epoch were more than noise
    Pages footprint{0};  // opaque pages touched in the last epoch
    Pages opaque_limit{0};
    Pages transparent_limit{0};
    Pages opaque_wanted{0};  // the need with the margin, maybe more than all memory; 0: not known yet
    // Refaults a second in this epoch that more opaque memory, up to all, would have avoided.
    double avoidable_misses_per_s = 0;
    // Misses a second of opaque programs at the limit, beyond those with all of memory.
    double expected_misses_per_s = 0;
    double expected_slowdown = 0;  // waiting for those misses as a share of active time: 0.01 is 1 %
    Reason reason;
};

class Policy {
public:
    // installed_pages: memory of the machine. It sets the resolution of the histograms (1/1024 of it) until the machine has
    // become much larger or smaller.
    Policy(const PolicyParameters& parameters, Pages installed_pages);

    // Ends the epoch that began at the previous step, or, if the sample was not scanned, only checks the goal within the epoch.
    // The first call starts the clock and lists the resident pages. Returns the limits to apply, which add up to usage.total.
    Decision step(const EpochSample& sample, const MemoryUsage& usage, AwakeTime now);

    // Forgets the pages but keeps the histograms: for a new sample source, whose keys mean other pages.
    void restart_sampling() {
        stack_ = EpochStack();
        ages_ = PageAges();
    }

    // Returns whether a step without a scan would raise the limit by much: opaque programs take more memory than the last step
    // knew of. evicted: opaque pages that the kernel evicted since that step.
    [[nodiscard]] bool outgrown(const MemoryUsage& usage, Pages evicted) const;

    // Takes effect at the next step; the histograms are kept.
    void set_parameters(const PolicyParameters& parameters);

    // Convert the learned state to text and back (policy_state.cpp). Error of restore: EINVAL with the line; then nothing is
    // changed. Memory of another size than before is no error.
    [[nodiscard]] std::string save_state() const;
    Result<void> restore_state(std::string_view text);

    // Returns the permanent histogram: accesses a second.
    [[nodiscard]] const BackedHistogram& rates() const { return histogram_.rates().all; }
    // Returns the measured miss latencies.
    [[nodiscard]] const MissLatency& latency() const { return latency_; }
    // Returns what the reuse of pages taught.
    [[nodiscard]] const ReuseTable& reuse() const { return reuse_; }
    // Returns the histograms of returns from breaks.
    [[nodiscard]] const ReturnBurst& returns() const { return returns_; }
    // Returns the number of known samples.
    [[nodiscard]] std::size_t known_samples() const { return stack_.known_samples(); }

private:
    struct Need {
        Pages pages{0};             // memory that opaque programs must keep
        Pages uncertainty{0};       // standard error of pages, times confidence
        bool for_returns = false;   // a return from a break needs the most
        bool for_all_used = false;  // little is known yet: all pages used so far count
    };

    void follow_memory_size(Pages total);
    void end_epoch(const EpochSample& sample, Seconds length, Pages total, Decision& decision);
    [[nodiscard]] ByBacking add_refaults(const EpochSample& sample, const MemoryUsage& usage);
    [[nodiscard]] ByBacking cost_of_a_miss() const;
    [[nodiscard]] double allowed_cost(const LruHistogram& cost, Pages total) const;
    [[nodiscard]] Pages steady_need(const BackedHistogram& rates, Pages total) const;
    [[nodiscard]] Need opaque_need(Pages total) const;
    void follow_growth(const EpochSample& sample, const MemoryUsage& usage);
    [[nodiscard]] Reason reason_for(const Decision& decision, const Need& need, Pages total) const;

    PolicyParameters parameters_;
    EpochStack stack_;
    PageAges ages_;
    ReuseTable reuse_;
    GroupedHistogram positions_;  // positions of the pages referenced in one epoch
    BackedHistogram accesses_;    // of the current epoch: refaults so far, at its end all
    AgedHistogram histogram_;
    ReturnBurst returns_;
    MissLatency latency_;
    std::optional<AwakeTime> last_step_;
    Seconds since_scan_{0};
    Pages kept_{0};         // by KeepRule, at the last scan
    Pages grown_{0};        // opaque pages that came since then
    Pages last_opaque_{0};  // resident at the last step
    Pages last_need_{0};    // the need of the last decision, without the margin; 0: none yet
};

}  // namespace tmm::core
