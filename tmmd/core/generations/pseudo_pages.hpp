// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PseudoPages: turns counts of pages into a sample of pages, so that the policy needs to know of one kind of source only. Each
// pseudo page stands for so many pages of a group (GenerationTracker) of a cgroup. Pages of a group are exchangeable: which of
// them were used is drawn by lot. Counts are rounded, to the nearest, for each group.
//
// Recent pages were all last used in the same epoch, so the lot adds no error but that of a sample. Old pages keep the time of
// their last use, and are drawn by OldUses: most often by the hazard that their group has shown. Of gone pages as many as the
// kernel evicted are the oldest. Memory is bounded by the number of pseudo pages; an epoch takes time in proportion to it.
// Deterministic; not thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "tmmd/core/generations/generation_flow.hpp"
#include "tmmd/core/generations/use_hazard.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// Which old pages were used.
enum class OldUses : std::uint8_t {
    by_hazard,       // drawn by UseHazard
    youngest_first,  // those that were unused for the shortest time (AgeingPace::attempts)
};

class PseudoPages {
public:
    // pages_each: that a pseudo page stands for, above 0. first_key: keys grow from this one.
    explicit PseudoPages(std::uint32_t pages_each, PageKey first_key = 1) : pages_each_(pages_each), next_key_(first_key) {}

    // Ends an epoch. evicted: opaque pages that the kernel evicted in it. length: of the epoch.
    EpochSample end_epoch(const FlowByCgroup& flows, Pages evicted, Seconds length, OldUses old_uses = OldUses::by_hazard);

private:
    // Old pages that were last used in the same epoch.
    struct Cohort {
        Seconds last_used{0};
        std::vector<PageKey> keys;
    };
    // A flow in pages that is not yet a whole pseudo page.
    struct Pending {
        std::uint64_t pages;
    };
    struct Group {
        explicit Group(std::uint64_t half)
            : used_recent{half}, used_old{half}, gone_recent{half}, gone_old{half}, came{half}, came_old{half} {}

        std::vector<PageKey> recent;
        std::deque<Cohort> old;  // oldest first
        UseHazard hazard;
        Pending used_recent;
        Pending used_old;
        Pending gone_recent;
        Pending gone_old;
        Pending came;
        Pending came_old;
    };

    using Groups = std::array<Group, nr_page_lists>;

    void drop_missing(const FlowByCgroup& flows, EpochSample& sample);
    // page: all that the pages of the group have in common.
    void end_epoch(const PageFlow& flow, Pages evicted, const SampledPage& page, Seconds length, OldUses old_uses, Group& group,
                   EpochSample& sample);
    [[nodiscard]] Seconds age_of(const Cohort& cohort, Seconds min_age) const;
    void learn_hazard(const PageFlow& flow, Seconds length, Group& group) const;
    std::vector<PageKey> take_recent(Group& group, Pending& pending, Pages pages);
    std::vector<PageKey> take_used(Group& group, Pages pages, Seconds min_age, OldUses old_uses);
    std::vector<PageKey> take_gone(Group& group, Pages pages, Pages evicted);
    std::vector<PageKey> take(Group& group, const std::vector<double>& odds, std::size_t wanted);
    std::vector<PageKey> make(Pending& pending, Pages pages);
    [[nodiscard]] std::size_t whole(Pending& pending, Pages pages, std::size_t available) const;
    PageKey take_any(std::vector<PageKey>& keys);
    void take_until(std::vector<PageKey>& taken, std::size_t wanted, std::vector<PageKey>& keys);
    std::uint64_t random();

    std::uint32_t pages_each_;
    std::map<CgroupId, Groups> groups_;
    Seconds clock_{0};
    PageKey next_key_;
    std::uint64_t random_state_ = 0;
};

}  // namespace tmm::core
