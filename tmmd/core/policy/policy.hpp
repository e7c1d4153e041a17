// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Policy: turns the sample of an epoch into the limits of the two classes. Pure: time is an argument, so a recorded session gives
// the same decisions again. app/ and replay/ call it once an epoch, app/ also at polls. Not thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "tmmd/core/clocks.hpp"
#include "tmmd/core/histogram/ages/reuse_table.hpp"
#include "tmmd/core/histogram/distances/aged_histogram.hpp"
#include "tmmd/core/histogram/epoch_stack.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/core/policy/miss_latency.hpp"
#include "tmmd/core/policy/need_rule.hpp"
#include "tmmd/core/policy/paper_rule.hpp"
#include "tmmd/core/policy/policy_parameters.hpp"
#include "tmmd/core/policy/reuse_rule.hpp"
#include "tmmd/core/reason.hpp"

namespace tmm::core {

enum class DecisionKind {
    learning,   // nothing is known yet: opaque memory is not limited
    measured,   // the limits follow what was learned
    corrected,  // paper: the goal was violated in this epoch, so histogram and limits changed at once
};

struct Decision {
    DecisionKind kind = DecisionKind::learning;
    AgedHistogram::Outcome ageing = AgedHistogram::Outcome::collecting;
    bool busy = false;   // the accesses of the last epoch were more than noise
    Pages footprint{0};  // opaque pages touched in the last epoch
    Pages opaque_limit{0};
    Pages transparent_limit{0};
    Pages opaque_wanted{0};     // the need with the margin, maybe more than all memory; 0: not known yet
    double refaults_per_s = 0;  // of opaque pages, since the last decision
    // Misses a second of opaque programs at the limit, beyond those with all of memory, and waiting for them as a share of active
    // time: 0.01 is 1 %. None: there is no histogram yet.
    std::optional<double> expected_misses_per_s;
    std::optional<double> expected_slowdown;
    Reason reason;

    bool operator==(const Decision&) const = default;
};

class Policy {
public:
    // installed_pages: memory of the machine. It sets the resolution of the histograms (1/1024 of it) until the machine has
    // become much larger or smaller.
    Policy(const PolicyParameters& parameters, Pages installed_pages);

    // Ends the epoch that began at the previous scan, or, if the sample was not scanned, only follows growth within the epoch.
    // The first call starts the clock and lists the resident pages. Returns the limits to apply, which add up to usage.total.
    // Times of the sample that are negative, not finite or longer than 30 years count as none.
    Decision step(const EpochSample& sample, const MemoryUsage& usage, AwakeTime now);

    // Forgets the pages but keeps the histograms: for a new sample source, whose keys mean other pages.
    void restart_sampling() {
        stack_ = EpochStack();
        reuse_.forget_pages();
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

    [[nodiscard]] const AgedHistogram& histogram() const { return paper_.histogram(); }
    // Returns the measured miss latencies.
    [[nodiscard]] const MissLatency& latency() const { return latency_; }
    // Returns what the reuse of pages taught.
    [[nodiscard]] const ReuseTable& reuse() const { return reuse_.table(); }
    // Returns the memory that each cgroup is to keep, as of the last scan; cgroups that are missing keep none. Empty if nothing
    // is known, with Objective::paper, which knows no pages, and if nothing can be given: then the kernel's own order is better.
    [[nodiscard]] std::vector<CgroupKeeps> kept_by_cgroup() const;
    // Returns the same with three quarters of the margin, in proportion to the needs. The kernel's order of pages is coarser than
    // that of their ages, and what it takes too early must not be left to cgroups that need nothing. The last quarter is for new
    // programs, until outgrown() notices them.
    [[nodiscard]] std::vector<CgroupKeeps> protected_by_cgroup() const;
    // Returns the number of known samples.
    [[nodiscard]] std::size_t known_samples() const { return stack_.known_samples(); }

private:
    // Returns the rule in force.
    [[nodiscard]] const NeedRule& rule() const;
    void follow_memory_size(Pages total);
    [[nodiscard]] double add_refaults(const EpochSample& sample, const MemoryUsage& usage);
    void end_epoch(const EpochSample& sample, Pages total, Decision& decision);
    void set_limits(Pages total, Decision& decision) const;
    void estimate_misses(Pages total, Decision& decision) const;

    Objective objective_;
    AgeingParameters noise_;
    EpochStack stack_;
    EpochAccesses epoch_;  // the current one
    PaperRule paper_;
    ReuseRule reuse_;
    MissLatency latency_;
    std::optional<AwakeTime> last_step_;
    bool gives_ = false;  // the last decision gave memory
};

}  // namespace tmm::core
