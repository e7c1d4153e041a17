// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Policy: from what an epoch showed to the limits of the two classes. Pure: time comes in as an argument, so that a recorded
// session gives the same decisions again. Called by app/ once an epoch, and by tests. Not thread-safe.
#pragma once

#include <optional>
#include <string>

#include "tmmd/core/aged_histogram.hpp"
#include "tmmd/core/beta_rule.hpp"
#include "tmmd/core/epoch_stack.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

struct PolicyParameters {
    AgeingParameters ageing;
    BetaRule rule;
    double minimum_opaque = 0.10;  // share of memory that opaque applications always keep, in [noise_depth, 1]; section 2.5
    double margin = 0.05;          // share of memory added to what they need; docs/policy.md says why
};

enum class DecisionKind {
    learning,   // no histogram yet: opaque memory is not limited
    measured,   // limits by the histogram, which may be older than this epoch
    corrected,  // the goal was violated in this epoch: histogram and limits follow at once
};

struct Decision {
    DecisionKind kind = DecisionKind::learning;
    AgedHistogram::Outcome ageing = AgedHistogram::Outcome::collecting;
    Pages opaque_limit = 0;
    Pages transparent_limit = 0;
    double avoidable_misses_per_s =
        0;  // opaque pages that came back in this epoch and would have stayed, had opaque memory had all
    double expected_misses_per_s = 0;  // of opaque applications at the limit, beyond those that they would have with all memory
    std::string reason;                // one sentence for people
};

class Policy {
public:
    // installed_pages: memory of the machine, fixed; sets the resolution of the histograms (1/1024 of it).
    Policy(const PolicyParameters& parameters, Pages installed_pages);

    // Ends an epoch that began at the last call's now. The first call only starts the clock and takes stock of the pages.
    Decision step(const EpochSample& sample, const MemoryUsage& usage, TimePoint now);

    // The sample source is a new one, its keys mean other pages: forgets the pages, keeps what was learned from them.
    void restart_sampling() { stack_ = EpochStack(); }

    // New parameters take effect at the next step; what was learned is kept.
    void set_parameters(const PolicyParameters& parameters);

    [[nodiscard]] const LruHistogram& rates() const { return histogram_.rates(); }

private:
    [[nodiscard]] double add_refaults(const EpochSample& sample, const MemoryUsage& usage);
    [[nodiscard]] Pages opaque_limit(Pages total) const;

    PolicyParameters parameters_;
    EpochStack stack_;
    AgedHistogram histogram_;
    std::optional<TimePoint> last_step_;
    Pages promised_ = 0;  // opaque memory that the last decision held to be enough, without the margin; 0: none yet
};

}  // namespace tmm::core
