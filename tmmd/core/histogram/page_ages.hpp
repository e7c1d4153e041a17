// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PageAges: counts the sampled pages by the epoch of their last use, their kind and their
// cgroup, and tells ReuseTable of each use at which age. While nobody is there, only uses of
// pages that were last used in such a time count, and by a tenth: the job that uses them waits
// for their misses, and nobody else. A page that left memory was freed or evicted. The kernel's
// count tells how many were evicted: those used least recently. Without that count, pages are
// taken for evicted if their last use was before half of the resident pages: programs mostly
// free what they just used. Evicted pages stay in the counts until a refault returns one: its
// refault distance tells when it left, hence the epoch of its last use.
//
// Memory is bounded by EpochStack::max_epochs and max_shares_; an epoch costs O(epochs + shares). Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "tmmd/core/histogram/reuse_table.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// The pages that are to stay: of each cgroup the newest.
struct KeptPages {
    Pages pages{0};                      // of all
    std::vector<CgroupKeeps> by_cgroup;  // by number, without those that keep nothing
};

// A page as of its last use.
struct LastUse {
    std::uint32_t epoch = 0;
    PageKind kind = 0;
    CgroupId cgroup = unknown_cgroup;
    std::uint32_t weight = 0;
};

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
    void add_evicted(Pages pages) { evicted_now_ = evicted_now_.value_or(0) + pages.as_double(); }
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

    // Returns, of each cgroup, the resident pages, newest first, for which the sum of value is largest; the fewer of equal sums.
    // Evicted pages of value that are as new count, too: the kernel took them before older ones, and they need room when they
    // come back. value: of keeping a page, by kind and range of ages; negative if its memory is better given.
    [[nodiscard]] KeptPages best_to_keep(const ReuseTable::ByKind& value) const;

    // Returns the number of counts: one for each epoch and cgroup with pages.
    [[nodiscard]] std::size_t nr_shares() const;

private:
    // The pages of a cgroup that were last used in one epoch.
    struct Share {
        CgroupId cgroup = unknown_cgroup;
        std::array<std::uint32_t, nr_page_kinds> resident{};
        std::array<float, nr_page_kinds> evicted{};

        [[nodiscard]] bool has_resident() const;
        [[nodiscard]] bool empty() const;
    };
    struct Epoch {
        ReuseTable::Times end;
        std::vector<Share> shares;

        // Returns the share of that cgroup, a new one if there is none.
        Share& of(CgroupId cgroup);
        // Takes a resident page away.
        void take(const LastUse& last);
        // Returns how many there are of that kind, evicted ones included.
        [[nodiscard]] double pages(PageKind kind) const;
    };
    // Pages that were evicted one after the other.
    struct Eviction {
        double until = 0;         // evictions so far, these included
        std::uint32_t epoch = 0;  // of their last use
        std::uint64_t batch = 0;  // number of the epoch that they left in
    };
    // Refaults of one scan or poll.
    struct Returned {
        Refault refault;
        double anonymous;
        std::optional<double> evicted;  // evictions until then; none: until the end of the epoch
    };
    // Pages of a cgroup that are new in this epoch, and evicted ones of it that came back.
    struct Arrivals {
        ByBacking appeared{};
        ByBacking returned{};
        std::array<bool, nr_backings> are_returned{};  // the new ones are those that came back
    };

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
    [[nodiscard]] ReuseTable::Times ages_of(const Epoch& epoch) const { return clock_ - epoch.end; }
    void count_use(const Epoch& epoch, PageKind kind, double pages);
    void count_pages(const Epoch& epoch);
    void note_evictions();
    void log_eviction(std::uint32_t epoch, double pages);
    void take_back(const Returned& returned, const ReuseTable::ByKind& hazards);
    void take_back(std::span<const std::uint32_t> epochs, std::size_t backing, double pages, const ReuseTable::ByKind& hazards);
    void find_returned();
    void find_median();
    void bound_shares();

    std::size_t max_shares_;
    std::vector<Epoch> epochs_;
    ReuseTable::Times clock_;
    std::uint32_t median_epoch_ = 0;  // half of the resident pages were last used later

    // Of the current epoch.
    bool is_first_ = true;
    ReuseTable::Times passed_;
    ReuseTable::ByKind uses_{};
    ReuseTable::ByKind pages_{};  // mean numbers
    std::map<CgroupId, Arrivals> arrivals_;
    std::vector<Returned> returned_;
    ByBacking returned_pages_{};
    std::vector<LastUse> left_;
    std::optional<double> evicted_now_;

    std::deque<Eviction> evictions_;
    std::uint64_t batch_ = 0;
    double evicted_ = 0;  // so far
};

}  // namespace tmm::core
