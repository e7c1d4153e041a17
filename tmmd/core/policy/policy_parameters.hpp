// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PolicyParameters: the settings of Policy and of its rules. Plain values.
#pragma once

#include "tmmd/core/histogram/distances/aged_histogram.hpp"
#include "tmmd/core/policy/beta_rule.hpp"
#include "tmmd/core/policy/keep_rule.hpp"

namespace tmm::core {

enum class Objective {
    reuse,  // keeps the pages that will likely be used again soon: ReuseRule
    paper,  // bounds misses as the paper does: PaperRule
};

struct PolicyParameters {
    AgeingParameters ageing;
    Objective objective = Objective::reuse;
    BetaRule rule;
    KeepRule keep;
    // Share of memory that opaque programs always keep. The paper's rule keeps at least noise_depth, whatever this is: accesses
    // up to that depth are ignored, so pages up to it must be safe (section 2.5).
    double min_opaque = 0.10;
    double margin = 0.05;  // of KeepRule: share of memory added to the need; docs/policy.md says why
};

}  // namespace tmm::core
