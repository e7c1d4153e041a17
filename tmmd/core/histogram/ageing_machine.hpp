// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// For tests of PageAges and of what goes by it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "tmmd/core/histogram/epoch_stack.hpp"
#include "tmmd/core/histogram/page_ages.hpp"

namespace tmm::core {

inline constexpr PageKind once = page_kind(Backing::anonymous, Use::once);
inline constexpr PageKind again = page_kind(Backing::anonymous, Use::again);
inline constexpr PageKind away_once = page_kind(Backing::anonymous, Use::away_once);
inline constexpr PageKind away_again = page_kind(Backing::anonymous, Use::away_again);
inline constexpr PageKind file_once = page_kind(Backing::file, Use::once);
inline constexpr PageKind file_again = page_kind(Backing::file, Use::again);

// A stack and its ages, as in the policy.
class AgeingMachine {
public:
    explicit AgeingMachine(std::size_t max_epochs = 4096) : stack_(max_epochs) {}

    // The pages first to last - 1 are used in this epoch.
    void use(PageKey first, PageKey last, Backing backing) {
        for (PageKey key = first; key < last; ++key)
            pages_.push_back({key, 1, backing, cgroup});
    }

    // An epoch of so many attended seconds in which the pages first to last - 1 are used.
    void epoch(double attended, PageKey first, PageKey last, const std::vector<PageKey>& gone = {},
               Backing backing = Backing::anonymous) {
        use(first, last, backing);
        histogram_.clear();
        ages.pass(Seconds(attended) + unattended, Seconds(attended));
        stack_.end_epoch(std::exchange(pages_, {}), gone, histogram_, ages, table);
    }

    void left(Seconds ago) { stack_.left(ago, ages); }

    // Uses by kind, of all ages.
    [[nodiscard]] double uses(PageKind kind) const {
        return std::accumulate(table.uses()[kind].begin(), table.uses()[kind].end(), 0.0);
    }
    // Page-seconds by kind, of all ages.
    [[nodiscard]] double exposure(PageKind kind) const {
        return std::accumulate(table.exposure()[kind].begin(), table.exposure()[kind].end(), 0.0);
    }
    // Returns the range of ages with most uses of that kind.
    [[nodiscard]] std::size_t range_of_uses(PageKind kind) const {
        const auto& all = table.uses()[kind];
        return static_cast<std::size_t>(std::max_element(all.begin(), all.end()) - all.begin());
    }

    // Returns the resident pages of each cgroup that are younger than age.
    [[nodiscard]] std::map<CgroupId, std::uint64_t> resident(Seconds age = Seconds(std::numeric_limits<double>::max())) const {
        std::map<CgroupId, std::uint64_t> pages;
        for (const EpochPages& epoch : ages.epochs()) {
            for (const EpochPages::Share& share : epoch.shares) {
                for (PageKind kind = 0; kind < nr_page_kinds; ++kind) {
                    if (share.resident[kind] > 0 && ages.ages_of(epoch).of(kind) < age)
                        pages[share.cgroup] += share.resident[kind];
                }
            }
        }
        return pages;
    }

    PageAges ages;
    ReuseTable table;
    Seconds unattended{0};  // of each epoch
    CgroupId cgroup = 1;

private:
    std::vector<SampledPage> pages_;
    EpochStack stack_;
    BackedHistogram histogram_{Pages(10), 100};
};

}  // namespace tmm::core
