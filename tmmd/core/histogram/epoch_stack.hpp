// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// EpochStack: LRU stack positions from reference bits, without a stack. It keeps the epoch of each sampled page's last reference
// and, for each epoch, how many pages were last referenced in it. A page last used in epoch k and again in epoch e lies between
//     M  and  M + a + b + c      with expectation  M + a/2 + b/2 + 3c/4,   where, without the page itself,
//     M: pages last used strictly between k and e          a: last used in k, not used in e
//     b: last used before k, or new, and used in e         c: last used in k and used in e
// Reference bits do not tell the order within an epoch: hence the interval. (Stack distances by epochs: Zhou et al., ASPLOS'04;
// spatial sampling: SHARDS, FAST'15.) Each sub-group of the pages is placed once more by its own members alone: eight estimates
// that share no sample. Memory is bounded by the number of sampled pages. Deterministic; cost of an epoch O(pages touched +
// epochs they were last used in). Not thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "tmmd/core/histogram/backed_histogram.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

class EpochStack {
public:
    // Epochs kept apart; beyond that those in which no page was last used are dropped and, if that is not enough, the older half
    // is merged in pairs, which only coarsens positions of pages unused for long.
    static constexpr std::size_t max_epochs = 4096;

    // Ends an epoch: forgets the pages gone, adds the positions of those referenced (weight pages = weight accesses) to
    // histogram, makes them the most recent. A page not known before has no position: a first use misses in a memory of any size.
    void end_epoch(std::span<const SampledPage> referenced, std::span<const PageKey> gone, GroupedHistogram& histogram);

    // The first epoch of a machine that was in use before: these pages are resident, used or not.
    void add_first_scan(std::span<const SampledPage> resident, GroupedHistogram& histogram);

    // Weight of all pages known.
    [[nodiscard]] Pages known_pages() const { return known_pages_; }
    // Of those, what was used for certain: not what was only found when stock was taken.
    [[nodiscard]] Pages used_pages() const;
    // How many they are.
    [[nodiscard]] std::size_t known_samples() const { return known_.size(); }

private:
    using ByGroup = std::array<Pages, GroupedHistogram::nr_groups>;
    struct Known {
        std::uint32_t last_epoch;
        std::uint32_t weight;
    };
    // Of the pages last used in one epoch, those touched again.
    struct Touched {
        std::array<ByGroup, nr_backings> pages{};
        std::array<std::uint32_t, GroupedHistogram::nr_groups> samples{};
    };
    // Touched by epoch, oldest first; and the pages not known before.
    struct Touches {
        std::vector<std::pair<std::uint32_t, Touched>> of_epoch;
        ByGroup new_pages{};
    };

    void forget(std::span<const PageKey> gone);
    Touches touch(std::span<const SampledPage> referenced);
    void place(const Touches& touches, GroupedHistogram& histogram) const;
    void merge_old_epochs();

    std::unordered_map<PageKey, Known> known_;
    std::vector<ByGroup> last_used_in_;  // per epoch, weight of the pages last referenced in it
    Pages known_pages_{0};
    bool had_first_scan_ = false;  // the pages last used in the first epoch may not have been used in it
};

}  // namespace tmm::core
