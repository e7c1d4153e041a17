// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PageAges: counts the sampled pages by the epoch of their last use, their kind and their cgroup, and tells ReuseTable of each
// use at which age. While nobody is there, only uses of pages that were last used in such a time count, and by a tenth: the job
// that uses them waits for their misses, and nobody else. Evicted pages stay in the counts until a refault returns one;
// EvictionLog finds the epoch of its last use.
//
// Memory is bounded by the epochs that EpochStack keeps apart and max_shares_; an epoch costs O(epochs + shares). Not
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tmmd/core/histogram/ages/arrivals.hpp"
#include "tmmd/core/histogram/ages/epoch_pages.hpp"
#include "tmmd/core/histogram/ages/eviction_log.hpp"
#include "tmmd/core/histogram/ages/reuse_table.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

class PageAges {
public:
    // max_shares: bounds the counts (nr_shares()); beyond it evicted pages belong to no cgroup.
    explicit PageAges(std::size_t max_shares = std::size_t{1} << 17) : max_shares_(max_shares) {}

    // Time has passed. attended: the part of it in which somebody was at the machine.
    void pass(Seconds time, Seconds attended) {
        passed_.any += time;
        passed_.attended += attended;
    }
    // Nobody was at the machine for so long, though that time counted as attended. Returns the first epoch that lies in it;
    // beyond the last one if none does.
    std::uint32_t left(Seconds ago);
    // Opaque pages were evicted, as the kernel counts them.
    void add_evicted(Pages pages) { evictions_.add_evicted(pages); }
    // Opaque pages came back. anonymous: share of them. Their distances count from the evictions added so far.
    void add_refaults(std::span<const Refault> refaults, double anonymous);

    // EpochStack calls these within its end_epoch(), in this order.
    // A page went.
    void gone(const LastUse& last);
    // Epochs got other numbers: new_epoch_of[epoch] rises, and may be the same for several.
    void renumber(std::span<const std::uint32_t> new_epoch_of);
    void begin_epoch();
    // Return the kind that the page has now.
    PageKind appeared(const SampledPage& page);
    PageKind used(const LastUse& last, const SampledPage& page);
    // Returns the kind of a page that was used once, when nobody was there.
    PageKind mark_away(const LastUse& last);
    // Finds the last use of the pages that came back. table: tells which pages are likely used. Returns whether any came back.
    bool match_refaults(const ReuseTable& table);
    // The page was used in this epoch, and is of that kind. If it appeared in it, and most likely is an evicted one that came
    // back, it was used before. Returns its kind.
    PageKind relabel(const SampledPage& page, PageKind kind);
    // Adds what the epoch told to the table.
    void end_epoch(ReuseTable& table);

    // Returns the number of pages at each age, evicted ones included.
    [[nodiscard]] ReuseTable::ByKind present() const;

    // Returns the pages by the epoch of their last use, oldest first.
    [[nodiscard]] std::span<const EpochPages> epochs() const { return epochs_; }
    // Returns the ages of pages that were last used in that epoch.
    [[nodiscard]] ReuseTable::Times ages_of(const EpochPages& epoch) const { return clock_ - epoch.end; }
    // Returns the number of counts: one for each epoch and cgroup with pages.
    [[nodiscard]] std::size_t nr_shares() const;

private:
    // The first epoch finds what was used at any time before it, most of it by the owner.
    [[nodiscard]] bool is_attended() const { return passed_.attended.count() > 0 || is_first_; }
    // While the machine is in use, only AgeingPace makes longer epochs, for pages that are used as seldom.
    static constexpr Seconds longest_in_use{160};
    // Whether a page may pass several ranges of ages in this epoch.
    [[nodiscard]] bool is_long() const { return !is_attended() || passed_.attended > longest_in_use; }
    // The part of this epoch in which pages of that kind grew older. While nobody is there, only the away kinds count.
    [[nodiscard]] Seconds passed(PageKind kind) const { return is_attended() ? passed_.of(kind) : passed_.any; }
    // How pages of this epoch were used: new ones, and those used before.
    [[nodiscard]] Use first_use() const { return is_attended() ? Use::once : Use::away_once; }
    [[nodiscard]] Use later_use() const { return is_attended() ? Use::again : Use::away_again; }
    void count_use(const EpochPages& epoch, PageKind kind, double pages);
    void count_pages(const EpochPages& epoch);
    void take_back(std::span<const std::uint32_t> epochs, Backing backing, double pages, const ReuseTable::ByKind& hazards);
    void find_median();
    void bound_shares();

    std::size_t max_shares_;
    std::vector<EpochPages> epochs_;
    EvictionLog evictions_;
    ReuseTable::Times clock_;
    std::uint32_t median_epoch_ = 0;  // half of the resident pages were last used later

    // Of the current epoch.
    bool is_first_ = true;
    ReuseTable::Times passed_;
    ReuseTable::ByKind uses_{};
    ReuseTable::ByKind pages_{};  // mean numbers
    Arrivals arrivals_;
};

}  // namespace tmm::core
