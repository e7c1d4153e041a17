// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/ages/eviction_log.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tmm::core {

void EvictionLog::add_refaults(std::span<const Refault> refaults, double anonymous) {
    for (const Refault& refault : refaults)
        refaulted_.push_back({refault, anonymous, counted_ ? std::optional(evicted_ + *counted_) : std::nullopt});
}

void EvictionLog::renumber(std::span<const std::uint32_t> new_epoch_of) {
    for (Eviction& eviction : evictions_)
        eviction.epoch = new_epoch_of[eviction.epoch];
    for (LastUse& gone : gone_)
        gone.epoch = new_epoch_of[gone.epoch];
}

EvictionLog::Epoch EvictionLog::end_epoch(std::uint32_t epoch, std::uint32_t median) {
    Epoch ended;
    ended.evicted = log_gone(epoch, median);
    for (const Refaulted& refaulted : refaulted_) {
        const double pages = refaulted.refault.pages.as_double();
        ended.returned.push_back({last_uses(refaulted), {refaulted.anonymous * pages, (1 - refaulted.anonymous) * pages}});
    }
    refaulted_.clear();
    ++batch_;
    return ended;
}

// The sample shows how old the evicted pages were, the kernel's count how many they are.
std::vector<LastUse> EvictionLog::log_gone(std::uint32_t epoch, std::uint32_t median) {
    std::vector<LastUse> gone = std::exchange(gone_, {});
    std::sort(gone.begin(), gone.end(), [](const LastUse& left, const LastUse& right) { return left.epoch < right.epoch; });
    auto freed = gone.begin();
    double seen = 0;
    for (; freed != gone.end(); ++freed) {
        const bool was_evicted = counted_ ? seen + freed->weight / 2.0 < *counted_ : freed->epoch <= median;
        if (!was_evicted)
            break;
        seen += freed->weight;
    }
    gone.erase(freed, gone.end());
    // Pages that no scan saw came and went within this epoch.
    const double unseen = counted_ ? std::max(*counted_ - seen, 0.0) : 0;
    for (const LastUse& evicted : gone)
        log(evicted.epoch, evicted.weight);
    if (unseen > 0)
        log(epoch, unseen);
    counted_.reset();
    return gone;
}

void EvictionLog::log(std::uint32_t epoch, double pages) {
    evicted_ += pages;
    if (!evictions_.empty() && evictions_.back().epoch == epoch && evictions_.back().batch == batch_) {
        evictions_.back().until = evicted_;
        return;
    }
    evictions_.push_back({evicted_, epoch, batch_});
    if (evictions_.size() <= max_evictions)
        return;
    std::deque<Eviction> kept;
    for (std::size_t i = 0; i < evictions_.size(); ++i) {
        if (i % 2 == 1 || i >= max_evictions / 2)
            kept.push_back(evictions_[i]);
    }
    evictions_.swap(kept);
}

// Pages that left in earlier epochs went oldest first, by and large. Those that came back within the epoch in which they left may
// be any of those that left in it: the kernel takes from all cgroups in turn.
std::vector<std::uint32_t> EvictionLog::last_uses(const Refaulted& refaulted) const {
    const double distance = (refaulted.refault.distance_from + refaulted.refault.distance_to).as_double() / 2;
    auto left = std::upper_bound(evictions_.begin(), evictions_.end(), refaulted.evicted.value_or(evicted_) - distance,
                                 [](double position, const Eviction& eviction) { return position < eviction.until; });
    std::vector<std::uint32_t> epochs;
    if (left == evictions_.end())
        return epochs;
    auto last = std::next(left);
    if (left->batch == batch_) {
        left = std::find_if(evictions_.begin(), left, [&](const Eviction& eviction) { return eviction.batch == batch_; });
        last = evictions_.end();
    }
    std::transform(left, last, std::back_inserter(epochs), [](const Eviction& eviction) { return eviction.epoch; });
    return epochs;
}

}  // namespace tmm::core
