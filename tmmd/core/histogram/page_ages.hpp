// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PageAges: counts the known pages by the epoch of their last use and by kind. EpochStack reports each page that appears, is used
// again or goes; so no page is stored twice. Ages are in attended time (ReuseTable).
//
// A page that is no longer resident was evicted or freed. The kernel evicts by age and counts evictions, so the oldest of the
// gone pages were evicted, as many as it counted. Without its count those are taken as evicted that were used before half of the
// resident pages: programs mostly free what they just used. Evicted pages stay in the counts until a refault returns one: its
// refault distance tells when it left, hence the epoch of its last use.
//
// Memory is bounded by EpochStack::max_epochs; an epoch costs O(epochs). Not thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "tmmd/core/histogram/reuse_table.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// The pages that are to stay: all that were last used in since_epoch or later.
struct KeptPages {
    Pages pages{0};
    std::uint32_t since_epoch = std::numeric_limits<std::uint32_t>::max();
};

class PageAges {
public:
    // Time has passed. attended: the part in which somebody was at the machine.
    void pass(Seconds attended) { attended_ += attended; }
    // Opaque pages came back. anonymous: share of them.
    void add_refaults(std::span<const Refault> refaults, double anonymous);
    // Opaque pages were evicted, as the kernel counts them.
    void add_evicted(Pages pages) { evicted_now_ = evicted_now_.value_or(0) + pages.as_double(); }
    // Ends the epoch, after the stack's end_epoch(): adds what it told to the table.
    void end_epoch(ReuseTable& table);

    // EpochStack calls these within its end_epoch(), in this order.
    // A page went; epoch and kind are of its last use.
    void gone(std::uint32_t epoch, PageKind kind, Pages weight);
    // Epochs got other numbers: new_epoch_of[epoch] rises, and may be the same for several.
    void renumber(std::span<const std::uint32_t> new_epoch_of);
    void begin_epoch();
    // Return the kind that the page has now.
    PageKind appeared(Backing backing, Pages weight);
    PageKind used(std::uint32_t epoch, PageKind kind, Pages old_weight, Backing backing, Pages weight);
    // Returns whether pages that appeared in this epoch are most likely evicted ones that came back.
    [[nodiscard]] bool came_back(Backing backing) const;
    // The page appeared in this epoch and came back. Returns its kind.
    PageKind relabel(Backing backing, Pages weight);

    // Returns the resident pages, newest first, for which the sum of value is largest; the fewer of equal sums. Evicted pages of
    // value that are as new count, too: the kernel took them before older ones, and they need room when they come back. value: of
    // keeping a page, by kind and range of ages; negative if its memory is better given.
    [[nodiscard]] KeptPages best_to_keep(const ReuseTable::ByKind& value) const;

private:
    struct Epoch {
        Seconds end{0};  // on the clock of attended time
        std::array<std::uint32_t, nr_page_kinds> resident{};
        std::array<float, nr_page_kinds> evicted{};
    };
    // Pages that were evicted one after the other.
    struct Eviction {
        double until = 0;         // evictions so far, these included
        std::uint32_t epoch = 0;  // of their last use
    };
    // Pages that went in this epoch; epoch, kind: of their last use.
    struct Left {
        std::uint32_t epoch = 0;
        PageKind kind = 0;
        double weight = 0;
    };
    // Refaults of one scan or poll.
    struct Returned {
        Refault refault;
        double anonymous;
    };

    [[nodiscard]] std::size_t range_of(const Epoch& epoch) const { return ReuseTable::range_of(clock_ - epoch.end); }
    [[nodiscard]] Use use_now() const { return attended_.count() > 0 ? Use::again : Use::away; }
    void note_evictions();
    void log_eviction(std::uint32_t epoch, double pages);
    void take_back(const Returned& returned);
    void find_median();

    std::vector<Epoch> epochs_;
    Seconds clock_{0};
    std::uint32_t median_epoch_ = 0;  // half of the resident pages were last used later

    // Of the current epoch.
    Seconds attended_{0};
    ReuseTable::ByKind uses_{};
    ByBacking appeared_{};
    std::vector<Returned> returned_;
    ByBacking returned_pages_{};
    std::vector<Left> left_;
    std::optional<double> evicted_now_;

    std::deque<Eviction> evictions_;
    double evicted_ = 0;  // so far
};

}  // namespace tmm::core
