// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// KeepRule: decides which pages opaque programs keep, by what they are worth (ReuseTable). A page is worth its memory if the
// expected uses in the time that it is kept pay for that time: if it is used again at least once in break_even. This is the ski
// rental problem with learned odds. The kernel evicts by age alone, so the rule chooses how many pages stay, newest first: the
// number for which all of them together are worth the most. Young pages without worth (a backup's) stay with the older ones that
// they lie above; or those go, if they are worth less than all that memory. A plain value; pure.
#pragma once

#include <span>
#include <vector>

#include "tmmd/core/histogram/ages/reuse_table.hpp"
#include "tmmd/core/histogram/page_ages.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// The pages that are to stay: of each cgroup the newest.
struct KeptPages {
    Pages pages{0};                      // of all
    std::vector<CgroupKeeps> by_cgroup;  // by number, without those that keep nothing
};

// Returns kept without those cgroups. uncounted: rising. Pure.
KeptPages without(const KeptPages& kept, std::span<const CgroupId> uncounted);

struct KeepRule {
    // Attended time that a page may be kept for one use, if a miss takes LatencyEstimate::unmeasured; above 0.
    Seconds break_even{20 * 3600};

    // Returns the opaque pages to keep. latency: seconds that a miss takes.
    [[nodiscard]] KeptPages opaque_need(const PageAges& ages, const ReuseTable& table, const ByBacking& latency) const;

    // Returns, of each cgroup, the resident pages, newest first, for which the sum of value is largest; the fewer of equal sums.
    // Evicted pages of value that are as new count, too: the kernel took them before older ones, and they need room when they
    // come back. value: of keeping a page, by kind and range of ages; negative if its memory is better given.
    [[nodiscard]] static KeptPages best_to_keep(const PageAges& ages, const ReuseTable::ByKind& value);
};

}  // namespace tmm::core
