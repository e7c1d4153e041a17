// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PaperRule: bounds misses as the paper does. AgedHistogram learns, BetaRule decides, without a margin. If an epoch has more
// misses than the goal permits, its accesses change the histogram at once (section 2.4). Pure; not thread-safe.
#pragma once

#include "tmmd/core/policy/need_rule.hpp"
#include "tmmd/core/policy/policy_parameters.hpp"

namespace tmm::core {

class PaperRule final : public NeedRule {
public:
    // bucket_pages, nr_buckets: as in LruHistogram.
    PaperRule(const PolicyParameters& parameters, Pages bucket_pages, std::size_t nr_buckets);

    // The histogram is kept, and its ageing.
    void set_parameters(const PolicyParameters& parameters);
    // Ends an epoch, which took time. violated: the goal of the rule in force.
    AgedHistogram::Outcome end_epoch(const EpochAccesses& epoch, Pages total, bool violated);

    // Expected misses follow it, whatever the rule.
    [[nodiscard]] const AgedHistogram& histogram() const { return histogram_; }
    // As of AgedHistogram.
    void rebucket(Pages bucket_pages, std::size_t nr_buckets) { histogram_.rebucket(bucket_pages, nr_buckets); }
    void restore(const BackedHistogram& accesses, double accesses_per_s, double active_share) {
        histogram_.restore(accesses, accesses_per_s, active_share);
    }

    [[nodiscard]] bool learned() const override { return histogram_.learned(); }
    [[nodiscard]] bool goal_violated(const EpochAccesses& epoch, Pages total) const override;
    [[nodiscard]] OpaqueNeed need(Pages total) const override;
    // The rule knows no pages, and follows no growth within an epoch.
    [[nodiscard]] bool outgrown(const MemoryUsage& /*usage*/, Pages /*evicted*/) const override { return false; }
    [[nodiscard]] std::vector<CgroupKeeps> kept_by_cgroup() const override { return {}; }
    [[nodiscard]] std::vector<CgroupKeeps> protected_by_cgroup() const override { return {}; }

private:
    BetaRule rule_;
    double min_opaque_ = 0;  // share of memory
    AgedHistogram histogram_;
};

}  // namespace tmm::core
