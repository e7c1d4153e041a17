// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ReuseRule: keeps the pages that will likely be used again. PageAges and ReuseTable learn, KeepRule decides at each scan.
// Between scans the need follows growth. Pure; not thread-safe.
#pragma once

#include <optional>

#include "tmmd/core/histogram/epoch_stack.hpp"
#include "tmmd/core/policy/need_rule.hpp"
#include "tmmd/core/policy/policy_parameters.hpp"

namespace tmm::core {

class ReuseRule final : public NeedRule {
public:
    explicit ReuseRule(const PolicyParameters& parameters) { set_parameters(parameters); }

    // What was learned is kept.
    void set_parameters(const PolicyParameters& parameters);

    // Each step calls these in this order; end_epoch() only if the pages were scanned.
    // Time has passed. stack: has the same pages.
    void pass(const EpochSample& sample, Seconds length, EpochStack& stack);
    // Adds the positions of the accesses to positions.
    void end_epoch(const EpochSample& sample, EpochStack& stack, BackedHistogram& positions);
    // Finds the pages to keep, and what came since they were found. latency: as in KeepRule.
    void follow_growth(const EpochSample& sample, const MemoryUsage& usage, const ByBacking& latency);

    // Somebody used the machine: before that nobody knows an owner who has not come yet.
    void note_use() { used_ = true; }
    // The keys of a new source mean other pages.
    void forget_pages();

    [[nodiscard]] const ReuseTable& table() const { return table_; }
    void restore(const ReuseTable& table);

    [[nodiscard]] bool learned() const override { return used_; }
    // Bounds no misses.
    [[nodiscard]] bool goal_violated(const EpochAccesses& /*epoch*/, Pages /*total*/) const override { return false; }
    [[nodiscard]] OpaqueNeed need(Pages total) const override;
    [[nodiscard]] bool outgrown(const MemoryUsage& usage, Pages evicted) const override;
    [[nodiscard]] std::vector<CgroupKeeps> kept_by_cgroup() const override { return kept_.by_cgroup; }
    [[nodiscard]] std::vector<CgroupKeeps> protected_by_cgroup() const override;

private:
    KeepRule rule_;
    double min_opaque_ = 0;  // share of memory
    double margin_ = 0;      // the same
    PageAges ages_;
    ReuseTable table_;
    bool used_ = false;
    KeptPages kept_;                    // at the last scan
    Pages grown_{0};                    // opaque pages that came since then
    Pages ahead_{0};                    // as many as came between the last two steps: a program that starts goes on
    std::optional<Pages> last_opaque_;  // resident at the last step
    Pages total_{0};                    // memory at the last step
};

}  // namespace tmm::core
