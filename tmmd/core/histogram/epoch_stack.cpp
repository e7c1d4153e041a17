// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/epoch_stack.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tmm::core {

namespace {

template <typename Range>
Pages sum(const Range& pages) {
    return std::accumulate(pages.begin(), pages.end(), Pages(0));
}

// Walks the epochs from oldest to newest and places the pages of each that were touched again.
class Placement {
public:
    // used_in_all: weight of the pages of all epochs.
    Placement(Pages used_in_all, Pages new_pages, BackedHistogram& histogram)
        : used_after_(used_in_all), touched_before_(new_pages), histogram_(histogram) {}

    void skip_epoch(Pages last_used) { used_after_ -= last_used; }

    // All pages last used in one epoch have the same interval, so it enters the histogram once for all of them.
    void end_epoch(Pages last_used, const std::array<Pages, nr_backings>& touched, std::uint32_t samples) {
        used_after_ -= last_used;
        const Pages touched_pages = sum(touched);
        const auto own = touched_pages.as_double() / static_cast<double>(samples);
        const auto m = used_after_.as_double();
        const auto a = (last_used - touched_pages).as_double();
        const auto b = touched_before_.as_double();
        const auto c = touched_pages.as_double() - own;
        ByBacking accesses{};
        for (std::size_t backing = 0; backing < nr_backings; ++backing)
            accesses[backing] = touched[backing].as_double();
        // The interval starts at M + c/2, so that its mean is the expectation.
        histogram_.add(m + c / 2, m + a + b + c, accesses);
        touched_before_ += touched_pages;
    }

private:
    Pages used_after_;      // M: pages last used after the current epoch
    Pages touched_before_;  // b
    BackedHistogram& histogram_;
};

}  // namespace

void EpochStack::end_epoch(std::span<const SampledPage> referenced, std::span<const PageKey> gone, BackedHistogram& histogram) {
    end_epoch(referenced, gone, histogram, nullptr);
}

void EpochStack::end_epoch(std::span<const SampledPage> referenced, std::span<const PageKey> gone, BackedHistogram& histogram,
                           PageAges& ages, ReuseTable& table) {
    end_epoch(referenced, gone, histogram, &ages);
    if (ages.match_refaults(table)) {
        for (const SampledPage& page : referenced) {
            Known& known = known_.at(page.key);
            known.kind = ages.relabel(page, static_cast<PageKind>(known.kind));
        }
    }
    ages.end_epoch(table);
}

void EpochStack::end_epoch(std::span<const SampledPage> referenced, std::span<const PageKey> gone, BackedHistogram& histogram,
                           PageAges* ages) {
    forget(gone, ages);
    if (last_used_in_.size() >= max_epochs_)
        merge_old_epochs(ages);
    last_used_in_.emplace_back();  // this epoch
    if (ages != nullptr)
        ages->begin_epoch();
    const Touches touches = touch(referenced, ages);
    place(touches, histogram);
    for (const auto& [epoch, touched] : touches.of_epoch)
        last_used_in_[epoch] -= sum(touched.pages);
}

void EpochStack::left(Seconds ago, PageAges& ages) {
    const std::uint32_t first = ages.left(ago);
    for (auto& [key, page] : known_) {
        if (page.last_epoch >= first && is_once(static_cast<PageKind>(page.kind)))
            page.kind = ages.mark_away(last_use_of(page));
    }
}

void EpochStack::forget(std::span<const PageKey> gone, PageAges* ages) {
    for (const PageKey key : gone) {
        const auto page = known_.find(key);
        if (page == known_.end())
            continue;
        last_used_in_[page->second.last_epoch] -= Pages(page->second.weight);
        known_pages_ -= Pages(page->second.weight);
        if (ages != nullptr)
            ages->gone(last_use_of(page->second));
        known_.erase(page);
    }
}

// Makes the pages the most recent. The epochs of their last use still count them.
EpochStack::Touches EpochStack::touch(std::span<const SampledPage> referenced, PageAges* ages) {
    constexpr auto none = std::numeric_limits<std::uint32_t>::max();
    const auto this_epoch = static_cast<std::uint32_t>(last_used_in_.size() - 1);
    std::vector<std::uint32_t> place_of(last_used_in_.size(), none);
    Touches touches;
    for (const SampledPage& page : referenced) {
        const auto [entry, is_new] = known_.try_emplace(page.key, Known{this_epoch, 0, 0, unknown_cgroup});
        Known& known = entry->second;
        PageKind kind = 0;
        if (is_new) {
            touches.new_pages += Pages(page.weight);
            if (ages != nullptr)
                kind = ages->appeared(page);
        } else if (known.last_epoch == this_epoch) {
            continue;  // listed twice
        } else {
            if (place_of[known.last_epoch] == none) {
                place_of[known.last_epoch] = static_cast<std::uint32_t>(touches.of_epoch.size());
                touches.of_epoch.emplace_back(known.last_epoch, Touched{});
            }
            Touched& touched = touches.of_epoch[place_of[known.last_epoch]].second;
            touched.pages[static_cast<std::size_t>(page.backing)] += Pages(known.weight);
            ++touched.samples;
            known_pages_ -= Pages(known.weight);
            if (ages != nullptr)
                kind = ages->used(last_use_of(known), page);
        }
        known = {this_epoch, page.weight, kind, page.cgroup};
        known_pages_ += Pages(page.weight);
        last_used_in_[this_epoch] += Pages(page.weight);
    }
    std::sort(touches.of_epoch.begin(), touches.of_epoch.end(),
              [](const auto& left, const auto& right) { return left.first < right.first; });
    return touches;
}

void EpochStack::place(const Touches& touches, BackedHistogram& histogram) const {
    Placement placement(sum(last_used_in_) - last_used_in_.back(), touches.new_pages, histogram);
    auto next = touches.of_epoch.begin();
    for (std::uint32_t epoch = 0; next != touches.of_epoch.end(); ++epoch) {
        if (next->first != epoch) {
            placement.skip_epoch(last_used_in_[epoch]);
            continue;
        }
        placement.end_epoch(last_used_in_[epoch], next->second.pages, next->second.samples);
        ++next;
    }
}

// Epochs in which no page was last used carry no information and go first. So the epochs before an idle night keep their
// distances.
void EpochStack::merge_old_epochs(PageAges* ages) {
    std::vector<std::uint32_t> new_epoch_of(last_used_in_.size());
    std::uint32_t nr_used = 0;
    for (std::size_t epoch = 0; epoch < last_used_in_.size(); ++epoch) {
        new_epoch_of[epoch] = nr_used;
        nr_used += last_used_in_[epoch] > Pages(0) ? 1 : 0;
    }
    if (nr_used > max_epochs_ / 2) {
        const std::uint32_t old_epochs = nr_used / 2;
        for (std::uint32_t& epoch : new_epoch_of)
            epoch = epoch < old_epochs ? epoch / 2 : epoch - (old_epochs - (old_epochs + 1) / 2);
    }
    std::vector<Pages> merged(new_epoch_of.back() + std::size_t{1}, Pages(0));
    for (std::size_t epoch = 0; epoch < last_used_in_.size(); ++epoch)
        merged[new_epoch_of[epoch]] += last_used_in_[epoch];
    last_used_in_ = std::move(merged);
    for (auto& [key, page] : known_)
        page.last_epoch = new_epoch_of[page.last_epoch];
    if (ages != nullptr)
        ages->renumber(new_epoch_of);
}

}  // namespace tmm::core
