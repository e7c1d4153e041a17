// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/page_ages.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tmm::core {

namespace {

// Entries of the log of evictions. Beyond it the older half keeps every other entry.
constexpr std::size_t max_evictions = 4096;

std::uint32_t count_of(Pages weight) {
    return static_cast<std::uint32_t>(weight.count());
}

PageKind kind_of(std::size_t backing, std::size_t use) {
    return page_kind(static_cast<Backing>(backing), static_cast<Use>(use));
}

}  // namespace

void PageAges::add_refaults(std::span<const Refault> refaults, double anonymous) {
    for (const Refault& refault : refaults) {
        returned_.push_back({refault, anonymous});
        returned_pages_[0] += anonymous * refault.pages.as_double();
        returned_pages_[1] += (1 - anonymous) * refault.pages.as_double();
    }
}

void PageAges::gone(std::uint32_t epoch, PageKind kind, Pages weight) {
    epochs_[epoch].resident[kind] -= count_of(weight);
    left_.push_back({epoch, kind, weight.as_double()});
}

void PageAges::renumber(std::span<const std::uint32_t> new_epoch_of) {
    std::vector<Epoch> merged(new_epoch_of.back() + std::size_t{1});
    for (std::size_t epoch = 0; epoch < epochs_.size(); ++epoch) {
        Epoch& target = merged[new_epoch_of[epoch]];
        target.end = std::max(target.end, epochs_[epoch].end);
        for (std::size_t kind = 0; kind < nr_page_kinds; ++kind) {
            target.resident[kind] += epochs_[epoch].resident[kind];
            target.evicted[kind] += epochs_[epoch].evicted[kind];
        }
    }
    epochs_ = std::move(merged);
    for (Eviction& eviction : evictions_)
        eviction.epoch = new_epoch_of[eviction.epoch];
    for (Left& left : left_)
        left.epoch = new_epoch_of[left.epoch];
    median_epoch_ = new_epoch_of[median_epoch_];
}

void PageAges::begin_epoch() {
    clock_ += attended_;
    epochs_.push_back({.end = clock_, .resident = {}, .evicted = {}});
}

PageKind PageAges::appeared(Backing backing, Pages weight) {
    const PageKind kind = page_kind(backing, attended_.count() > 0 ? Use::once : Use::away);
    epochs_.back().resident[kind] += count_of(weight);
    appeared_[static_cast<std::size_t>(backing)] += weight.as_double();
    return kind;
}

PageKind PageAges::used(std::uint32_t epoch, PageKind kind, Pages old_weight, Backing backing, Pages weight) {
    epochs_[epoch].resident[kind] -= count_of(old_weight);
    if (attended_.count() > 0)
        uses_[kind][range_of(epochs_[epoch])] += old_weight.as_double();
    const PageKind now = page_kind(backing, use_now());
    epochs_.back().resident[now] += count_of(weight);
    return now;
}

bool PageAges::came_back(Backing backing) const {
    const auto index = static_cast<std::size_t>(backing);
    return returned_pages_[index] > 0 && 2 * returned_pages_[index] >= appeared_[index];
}

PageKind PageAges::relabel(Backing backing, Pages weight) {
    const PageKind before = page_kind(backing, attended_.count() > 0 ? Use::once : Use::away);
    const PageKind now = page_kind(backing, use_now());
    epochs_.back().resident[before] -= count_of(weight);
    epochs_.back().resident[now] += count_of(weight);
    return now;
}

void PageAges::end_epoch(ReuseTable& table) {
    note_evictions();
    for (const Returned& returned : returned_)
        take_back(returned);
    ReuseTable::ByKind pages{};
    for (const Epoch& epoch : epochs_) {
        const std::size_t range = range_of(epoch);
        for (std::size_t kind = 0; kind < nr_page_kinds; ++kind)
            pages[kind][range] += epoch.resident[kind] + static_cast<double>(epoch.evicted[kind]);
    }
    table.add(attended_, uses_, pages);
    attended_ = Seconds(0);
    uses_ = {};
    appeared_ = {};
    returned_.clear();
    returned_pages_ = {};
    find_median();
}

KeptPages PageAges::best_to_keep(const ReuseTable::ByKind& value) const {
    double sum = 0;
    double best = 0;
    std::uint64_t pages = 0;
    double missing = 0;
    KeptPages kept;
    for (std::size_t epoch = epochs_.size(); epoch-- > 0;) {
        const Epoch& one = epochs_[epoch];
        const std::size_t range = range_of(one);
        for (std::size_t kind = 0; kind < nr_page_kinds; ++kind) {
            pages += one.resident[kind];
            sum += one.resident[kind] * value[kind][range];
            if (value[kind][range] > 0)
                missing += static_cast<double>(one.evicted[kind]);
        }
        if (sum > best) {
            best = sum;
            kept = {Pages(pages + static_cast<std::uint64_t>(std::llround(missing))), static_cast<std::uint32_t>(epoch)};
        }
    }
    return kept;
}

// The sample shows how old the evicted pages were, the kernel's count how many they are.
void PageAges::note_evictions() {
    std::sort(left_.begin(), left_.end(), [](const Left& left, const Left& right) { return left.epoch < right.epoch; });
    auto freed = left_.begin();
    double seen = 0;
    for (; freed != left_.end(); ++freed) {
        const bool was_evicted = evicted_now_ ? seen + freed->weight / 2 < *evicted_now_ : freed->epoch <= median_epoch_;
        if (!was_evicted)
            break;
        seen += freed->weight;
        epochs_[freed->epoch].evicted[freed->kind] += static_cast<float>(freed->weight);
    }
    left_.erase(freed, left_.end());
    // Pages that no scan saw came and went within this epoch.
    const double unseen = evicted_now_ ? std::max(*evicted_now_ - seen, 0.0) : 0;
    for (const Left& left : left_)
        log_eviction(left.epoch, left.weight);
    if (unseen > 0)
        log_eviction(static_cast<std::uint32_t>(epochs_.size() - 1), unseen);
    left_.clear();
    evicted_now_.reset();
}

void PageAges::log_eviction(std::uint32_t epoch, double pages) {
    evicted_ += pages;
    if (!evictions_.empty() && evictions_.back().epoch == epoch) {
        evictions_.back().until = evicted_;
        return;
    }
    evictions_.push_back({evicted_, epoch});
    if (evictions_.size() <= max_evictions)
        return;
    std::deque<Eviction> kept;
    for (std::size_t i = 0; i < evictions_.size(); ++i) {
        if (i % 2 == 1 || i >= max_evictions / 2)
            kept.push_back(evictions_[i]);
    }
    evictions_.swap(kept);
}

// Finds the epoch of the last use of pages that came back, and counts their use.
void PageAges::take_back(const Returned& returned) {
    const double distance = (returned.refault.distance_from + returned.refault.distance_to).as_double() / 2;
    const auto left = std::upper_bound(evictions_.begin(), evictions_.end(), evicted_ - distance,
                                       [](double position, const Eviction& eviction) { return position < eviction.until; });
    if (left == evictions_.end())
        return;
    Epoch& epoch = epochs_[left->epoch];
    const std::size_t range = range_of(epoch);
    const double pages[nr_backings]{returned.anonymous * returned.refault.pages.as_double(),
                                    (1 - returned.anonymous) * returned.refault.pages.as_double()};
    for (std::size_t backing = 0; backing < nr_backings; ++backing) {
        double there = 0;
        for (std::size_t use = 0; use < nr_uses; ++use)
            there += static_cast<double>(epoch.evicted[kind_of(backing, use)]);
        for (std::size_t use = 0; use < nr_uses; ++use) {
            const PageKind kind = kind_of(backing, use);
            const double share = there > 0                     ? static_cast<double>(epoch.evicted[kind]) / there
                                 : kind_of(backing, 0) == kind ? 1
                                                               : 0;
            const double count = share * pages[backing];
            if (attended_.count() > 0)
                uses_[kind][range] += count;
            epoch.evicted[kind] = std::max(epoch.evicted[kind] - static_cast<float>(count), 0.0F);
        }
    }
}

void PageAges::find_median() {
    const auto resident = [](const Epoch& epoch) {
        return std::accumulate(epoch.resident.begin(), epoch.resident.end(), std::uint64_t{0});
    };
    std::uint64_t all = 0;
    for (const Epoch& epoch : epochs_)
        all += resident(epoch);
    std::uint64_t newer = 0;
    auto epoch = epochs_.size();
    while (epoch > 0 && 2 * newer < all)
        newer += resident(epochs_[--epoch]);
    median_epoch_ = static_cast<std::uint32_t>(epoch);
}

}  // namespace tmm::core
