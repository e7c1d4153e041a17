// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/page_ages.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tmm::core {

namespace {

// Weight of a use while nobody is there. experiments/02-days: 0 to 0.3 give nearly the same.
constexpr double weight_unattended = 0.1;

}  // namespace

void PageAges::add_refaults(std::span<const Refault> refaults, double anonymous) {
    evictions_.add_refaults(refaults, anonymous);
    for (const Refault& refault : refaults)
        arrivals_.add_returned({anonymous * refault.pages.as_double(), (1 - anonymous) * refault.pages.as_double()});
}

void PageAges::gone(const LastUse& last) {
    epochs_[last.epoch].take(last);
    evictions_.add_gone(last);
}

void PageAges::renumber(std::span<const std::uint32_t> new_epoch_of) {
    std::vector<EpochPages> merged(new_epoch_of.back() + std::size_t{1});
    for (std::size_t epoch = 0; epoch < epochs_.size(); ++epoch)
        merged[new_epoch_of[epoch]].merge(epochs_[epoch]);
    epochs_ = std::move(merged);
    evictions_.renumber(new_epoch_of);
    median_epoch_ = new_epoch_of[median_epoch_];
}

void PageAges::begin_epoch() {
    clock_ += passed_;
    epochs_.push_back({.end = clock_, .shares = {}});
}

PageKind PageAges::appeared(const SampledPage& page) {
    const PageKind kind = page_kind(page.backing, first_use());
    epochs_.back().of(page.cgroup).resident[kind] += page.weight;
    arrivals_.add_new(page);
    return kind;
}

PageKind PageAges::used(const LastUse& last, const SampledPage& page) {
    count_use(epochs_[last.epoch], last.kind, last.weight);
    epochs_[last.epoch].take(last);
    const PageKind now = page_kind(page.backing, later_use());
    epochs_.back().of(page.cgroup).resident[now] += page.weight;
    return now;
}

// A use that nobody attends tells of the programs that run then, not of the owner. Such an epoch may be long beside a range, and
// nobody knows when in it the use was: it counts as one in the middle.
void PageAges::count_use(const EpochPages& epoch, PageKind kind, double pages) {
    const Seconds age = ages_of(epoch).of(kind);
    if (!is_attended() && !is_away(kind))
        return;
    const double weight = is_attended() ? 1 : weight_unattended;
    if (!is_long()) {
        uses_[kind][ReuseTable::range_of(age)] += weight * pages;
        return;
    }
    const Seconds at_use = age - passed(kind) / 2;
    ReuseTable::spread(pages / 2, age - passed(kind), at_use, pages_[kind]);
    uses_[kind][ReuseTable::range_of(at_use)] += weight * pages;
}

std::uint32_t PageAges::left(Seconds ago) {
    const Seconds since = clock_.any + passed_.any - ago;
    // An epoch begins when the one before ends.
    if (clock_.any >= since)
        passed_.attended = Seconds(0);
    const auto before =
        std::find_if(epochs_.begin(), epochs_.end(), [&](const EpochPages& epoch) { return epoch.end.any >= since; });
    const auto first = static_cast<std::uint32_t>(before - epochs_.begin()) + 1;
    for (std::size_t epoch = first; epoch < epochs_.size(); ++epoch) {
        for (EpochPages::Share& share : epochs_[epoch].shares) {
            for (const Backing backing : {Backing::anonymous, Backing::file}) {
                float& once = share.evicted[page_kind(backing, Use::once)];
                share.evicted[page_kind(backing, Use::away_once)] += std::exchange(once, 0.0F);
            }
        }
    }
    return first;
}

PageKind PageAges::mark_away(const LastUse& last) {
    const PageKind away = page_kind(static_cast<Backing>(backing_of(last.kind)), Use::away_once);
    EpochPages::Share& share = epochs_[last.epoch].of(last.cgroup);
    share.resident[last.kind] -= last.weight;
    share.resident[away] += last.weight;
    return away;
}

PageKind PageAges::relabel(const SampledPage& page, PageKind kind) {
    // Any other page was used before.
    const bool appeared = kind == page_kind(page.backing, first_use());
    if (!appeared || !arrivals_.are_returned(page))
        return kind;
    const PageKind now = page_kind(page.backing, later_use());
    EpochPages::Share& share = epochs_.back().of(page.cgroup);
    share.resident[kind] -= page.weight;
    share.resident[now] += page.weight;
    return now;
}

bool PageAges::match_refaults(const ReuseTable& table) {
    const EvictionLog::Epoch ended = evictions_.end_epoch(static_cast<std::uint32_t>(epochs_.size() - 1), median_epoch_);
    for (const LastUse& evicted : ended.evicted)
        epochs_[evicted.epoch].of(evicted.cgroup).evicted[evicted.kind] += static_cast<float>(evicted.weight);
    if (ended.returned.empty())
        return false;
    const ReuseTable::ByKind hazards = table.hazards();
    for (const EvictionLog::Returned& returned : ended.returned) {
        for (const Backing backing : {Backing::anonymous, Backing::file})
            take_back(returned.epochs, backing, returned.pages[static_cast<std::size_t>(backing)], hazards);
    }
    arrivals_.find_returned();
    return true;
}

void PageAges::count_pages(const EpochPages& epoch) {
    if (epoch.shares.empty())
        return;
    const ReuseTable::Times ages = ages_of(epoch);
    const auto ranges = ReuseTable::ranges_of(ages);
    const auto pages = epoch.by_kind();
    for (PageKind kind = 0; kind < nr_page_kinds; ++kind) {
        if (!is_long())
            pages_[kind][ranges[kind]] += pages[kind];
        else if (&epoch == &epochs_.back())  // used in it, and older since its middle
            ReuseTable::spread(pages[kind] / 2, Seconds(0), passed(kind) / 2, pages_[kind]);
        else
            ReuseTable::spread(pages[kind], ages.of(kind) - passed(kind), ages.of(kind), pages_[kind]);
    }
}

void PageAges::end_epoch(ReuseTable& table) {
    bound_shares();
    for (const EpochPages& epoch : epochs_)
        count_pages(epoch);
    table.add(passed_, uses_, pages_);
    is_first_ = false;
    passed_ = {};
    uses_ = {};
    pages_ = {};
    arrivals_ = Arrivals();
    find_median();
}

ReuseTable::ByKind PageAges::present() const {
    ReuseTable::ByKind pages{};
    for (const EpochPages& epoch : epochs_) {
        if (epoch.shares.empty())
            continue;
        const auto ranges = ReuseTable::ranges_of(ages_of(epoch));
        const auto of_epoch = epoch.by_kind();
        for (PageKind kind = 0; kind < nr_page_kinds; ++kind)
            pages[kind][ranges[kind]] += of_epoch[kind];
    }
    return pages;
}

// Counts the last use of pages that came back. The likelier a page is used at its age, the likelier it is the one. If none is
// known, the page was never seen, so it was used once, in the last of the epochs.
void PageAges::take_back(std::span<const std::uint32_t> epochs, Backing backing, double pages,
                         const ReuseTable::ByKind& hazards) {
    if (epochs.empty())
        return;
    const auto likelihood = [&](const EpochPages& epoch, const EpochPages::Share& share, PageKind kind) {
        return static_cast<double>(share.evicted[kind]) * hazards[kind][ReuseTable::range_of(ages_of(epoch), kind)];
    };
    double all = 0;
    for (const std::uint32_t epoch : epochs) {
        for (const EpochPages::Share& share : epochs_[epoch].shares) {
            for (std::size_t use = 0; use < nr_uses; ++use)
                all += likelihood(epochs_[epoch], share, page_kind(backing, static_cast<Use>(use)));
        }
    }
    if (all <= 0) {
        count_use(epochs_[epochs.back()], page_kind(backing, Use::once), pages);
        return;
    }
    for (const std::uint32_t index : epochs) {
        EpochPages& epoch = epochs_[index];
        for (EpochPages::Share& share : epoch.shares) {
            for (std::size_t use = 0; use < nr_uses; ++use) {
                const PageKind kind = page_kind(backing, static_cast<Use>(use));
                const double count = pages * likelihood(epoch, share, kind) / all;
                count_use(epoch, kind, count);
                arrivals_.add_returned(share.cgroup, backing, count);
                share.evicted[kind] = std::max(share.evicted[kind] - static_cast<float>(count), 0.0F);
            }
        }
        std::erase_if(epoch.shares, [](const EpochPages::Share& share) { return share.empty(); });
    }
}

void PageAges::find_median() {
    std::uint64_t all = 0;
    for (const EpochPages& epoch : epochs_)
        all += epoch.resident();
    std::size_t epoch = epochs_.size() - 1;
    std::uint64_t newer = epochs_[epoch].resident();
    while (epoch > 0 && 2 * newer < all)
        newer += epochs_[--epoch].resident();
    median_epoch_ = static_cast<std::uint32_t>(epoch);
}

std::size_t PageAges::nr_shares() const {
    return std::accumulate(epochs_.begin(), epochs_.end(), std::size_t{0},
                           [](std::size_t sum, const EpochPages& epoch) { return sum + epoch.shares.size(); });
}

// Cgroups may come and go without end, and their evicted pages may never come back.
void PageAges::bound_shares() {
    if (nr_shares() <= max_shares_)
        return;
    for (EpochPages& epoch : epochs_)
        epoch.disown_evicted();
}

}  // namespace tmm::core
