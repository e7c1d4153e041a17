// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// EpochStack: derives LRU stack positions from reference bits, without a stack. It keeps the epoch of each sampled page's last
// reference, and the number of pages last referenced in each epoch.
//
// A page last used in epoch k and again in epoch e lies between
//     M  and  M + a + b + c      with expectation  M + a/2 + b/2 + 3c/4,   where, without the page itself,
//     M: pages last used strictly between k and e          a: last used in k, not used in e
//     b: last used before k, or new, and used in e         c: last used in k and used in e
// Reference bits do not tell the order within an epoch, hence the interval. (Stack distances by epochs: Zhou et al., ASPLOS'04;
// spatial sampling: SHARDS, FAST'15.)
//
// The number of sampled pages bounds memory. An epoch costs O(pages touched + epochs they were last used in). Deterministic; not
// thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "tmmd/core/histogram/distances/backed_histogram.hpp"
#include "tmmd/core/histogram/page_ages.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

class EpochStack {
public:
    // max_epochs: the number of epochs kept apart, above 2. Beyond it, epochs in which no page was last used are dropped. If that
    // is not enough, the older half is merged in pairs, which only coarsens positions of pages unused for long.
    explicit EpochStack(std::size_t max_epochs = 4096) : max_epochs_(max_epochs) {}

    // Ends an epoch. Forgets the pages in gone, adds the positions of the referenced pages to histogram and makes them the most
    // recent. A page of weight w counts w accesses. A new page has no position: a first use misses in a memory of any size.
    void end_epoch(std::span<const SampledPage> referenced, std::span<const PageKey> gone, BackedHistogram& histogram);
    // Tells ages of each page, too, and table of the uses. ages: always the same object, and since the first epoch.
    void end_epoch(std::span<const SampledPage> referenced, std::span<const PageKey> gone, BackedHistogram& histogram,
                   PageAges& ages, ReuseTable& table);

    // Nobody was at the machine for so long: pages that were used once, in that time, were used by nobody who is there.
    void left(Seconds ago, PageAges& ages);

    // Returns the weight of all known pages.
    [[nodiscard]] Pages known_pages() const { return known_pages_; }
    // Returns the number of known samples.
    [[nodiscard]] std::size_t known_samples() const { return known_.size(); }

private:
    struct Known {
        std::uint32_t last_epoch;
        std::uint32_t weight : 28;
        std::uint32_t kind : 4;  // PageKind, if ages are counted
        CgroupId cgroup;
    };
    // The pages last used in one epoch that were touched again.
    struct Touched {
        std::array<Pages, nr_backings> pages{};
        std::uint32_t samples = 0;
    };
    // The touched pages by epoch, oldest first, and the new pages.
    struct Touches {
        std::vector<std::pair<std::uint32_t, Touched>> of_epoch;
        Pages new_pages{0};
    };

    static LastUse last_use_of(const Known& page) {
        return {page.last_epoch, static_cast<PageKind>(page.kind), page.cgroup, page.weight};
    }
    void end_epoch(std::span<const SampledPage> referenced, std::span<const PageKey> gone, BackedHistogram& histogram,
                   PageAges* ages);
    void forget(std::span<const PageKey> gone, PageAges* ages);
    Touches touch(std::span<const SampledPage> referenced, PageAges* ages);
    void place(const Touches& touches, BackedHistogram& histogram) const;
    void merge_old_epochs(PageAges* ages);

    std::size_t max_epochs_;
    std::unordered_map<PageKey, Known> known_;
    std::vector<Pages> last_used_in_;  // per epoch, weight of the pages last referenced in it
    Pages known_pages_{0};
};

}  // namespace tmm::core
