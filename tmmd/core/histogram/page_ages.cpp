// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/page_ages.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

namespace tmm::core {

namespace {

// Entries of the log of evictions. Beyond it the older half keeps every other entry.
constexpr std::size_t max_evictions = 4096;

// Weight of a use while nobody is there. experiments/02-days: 0 to 0.3 give nearly the same.
constexpr double weight_unattended = 0.1;

PageKind kind_of(std::size_t backing, std::size_t use) {
    return page_kind(static_cast<Backing>(backing), static_cast<Use>(use));
}

}  // namespace

void PageAges::add_refaults(std::span<const Refault> refaults, double anonymous) {
    for (const Refault& refault : refaults) {
        returned_.push_back({refault, anonymous, evicted_now_ ? std::optional(evicted_ + *evicted_now_) : std::nullopt});
        returned_pages_[0] += anonymous * refault.pages.as_double();
        returned_pages_[1] += (1 - anonymous) * refault.pages.as_double();
    }
}

bool PageAges::Share::has_resident() const {
    return std::any_of(resident.begin(), resident.end(), [](std::uint32_t pages) { return pages > 0; });
}

bool PageAges::Share::empty() const {
    return !has_resident() && std::all_of(evicted.begin(), evicted.end(), [](float pages) { return pages <= 0; });
}

PageAges::Share& PageAges::Epoch::of(CgroupId cgroup) {
    const auto share = std::find_if(shares.begin(), shares.end(), [&](const Share& one) { return one.cgroup == cgroup; });
    return share != shares.end() ? *share : shares.emplace_back(Share{cgroup, {}, {}});
}

double PageAges::Epoch::pages(PageKind kind) const {
    double sum = 0;
    for (const Share& share : shares)
        sum += share.resident[kind] + static_cast<double>(share.evicted[kind]);
    return sum;
}

void PageAges::Epoch::take(const LastUse& last) {
    Share& share = of(last.cgroup);
    share.resident[last.kind] -= last.weight;
    if (share.resident[last.kind] == 0 && share.empty()) {
        share = shares.back();
        shares.pop_back();
    }
}

void PageAges::gone(const LastUse& last) {
    epochs_[last.epoch].take(last);
    left_.push_back(last);
}

void PageAges::renumber(std::span<const std::uint32_t> new_epoch_of) {
    std::vector<Epoch> merged(new_epoch_of.back() + std::size_t{1});
    for (std::size_t epoch = 0; epoch < epochs_.size(); ++epoch) {
        Epoch& target = merged[new_epoch_of[epoch]];
        target.end = epochs_[epoch].end;  // the last one's: clocks rise
        for (const Share& share : epochs_[epoch].shares) {
            Share& sum = target.of(share.cgroup);
            for (std::size_t kind = 0; kind < nr_page_kinds; ++kind) {
                sum.resident[kind] += share.resident[kind];
                sum.evicted[kind] += share.evicted[kind];
            }
        }
    }
    epochs_ = std::move(merged);
    for (Eviction& eviction : evictions_)
        eviction.epoch = new_epoch_of[eviction.epoch];
    for (LastUse& left : left_)
        left.epoch = new_epoch_of[left.epoch];
    median_epoch_ = new_epoch_of[median_epoch_];
}

void PageAges::begin_epoch() {
    clock_ += passed_;
    epochs_.push_back({.end = clock_, .shares = {}});
}

PageKind PageAges::appeared(const SampledPage& page) {
    const PageKind kind = page_kind(page.backing, first_use());
    epochs_.back().of(page.cgroup).resident[kind] += page.weight;
    arrivals_[page.cgroup].appeared[static_cast<std::size_t>(page.backing)] += page.weight;
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
void PageAges::count_use(const Epoch& epoch, PageKind kind, double pages) {
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
    const auto before = std::find_if(epochs_.begin(), epochs_.end(), [&](const Epoch& epoch) { return epoch.end.any >= since; });
    const auto first = static_cast<std::uint32_t>(before - epochs_.begin()) + 1;
    for (std::size_t epoch = first; epoch < epochs_.size(); ++epoch) {
        for (Share& share : epochs_[epoch].shares) {
            for (std::size_t backing = 0; backing < nr_backings; ++backing) {
                float& once = share.evicted[kind_of(backing, static_cast<std::size_t>(Use::once))];
                share.evicted[kind_of(backing, static_cast<std::size_t>(Use::away_once))] += std::exchange(once, 0.0F);
            }
        }
    }
    return first;
}

PageKind PageAges::mark_away(const LastUse& last) {
    const PageKind away = page_kind(static_cast<Backing>(backing_of(last.kind)), Use::away_once);
    Share& share = epochs_[last.epoch].of(last.cgroup);
    share.resident[last.kind] -= last.weight;
    share.resident[away] += last.weight;
    return away;
}

PageKind PageAges::relabel(const SampledPage& page, PageKind kind) {
    const auto backing = static_cast<std::size_t>(page.backing);
    // Any other page was used before.
    const bool appeared = kind == page_kind(page.backing, first_use());
    if (!appeared || !arrivals_[page.cgroup].are_returned[backing])
        return kind;
    const PageKind now = page_kind(page.backing, later_use());
    Share& share = epochs_.back().of(page.cgroup);
    share.resident[kind] -= page.weight;
    share.resident[now] += page.weight;
    return now;
}

bool PageAges::match_refaults(const ReuseTable& table) {
    note_evictions();
    if (returned_.empty())
        return false;
    const ReuseTable::ByKind hazards = table.hazards();
    for (const Returned& returned : returned_)
        take_back(returned, hazards);
    find_returned();
    return true;
}

// A page comes back under another key, and looks new. A cgroup's pages mostly come back to it. Those that do not, such as the
// files of a job that runs in a new cgroup each night, are looked for in all other cgroups together.
void PageAges::find_returned() {
    const auto are_returned = [](double returned, double appeared) { return returned > 0 && 2 * returned >= appeared; };
    for (std::size_t backing = 0; backing < nr_backings; ++backing) {
        double returned = returned_pages_[backing];
        double appeared = 0;
        for (auto& [cgroup, arrivals] : arrivals_) {
            arrivals.are_returned[backing] = are_returned(arrivals.returned[backing], arrivals.appeared[backing]);
            if (arrivals.are_returned[backing])
                returned -= std::min(arrivals.returned[backing], arrivals.appeared[backing]);
            else
                appeared += arrivals.appeared[backing];
        }
        if (!are_returned(returned, appeared))
            continue;
        for (auto& [cgroup, arrivals] : arrivals_)
            arrivals.are_returned[backing] = true;
    }
}

void PageAges::count_pages(const Epoch& epoch) {
    if (epoch.shares.empty())
        return;
    const ReuseTable::Times ages = ages_of(epoch);
    for (PageKind kind = 0; kind < nr_page_kinds; ++kind) {
        const double pages = epoch.pages(kind);
        const Seconds age = ages.of(kind);
        if (!is_long())
            pages_[kind][ReuseTable::range_of(age)] += pages;
        else if (&epoch == &epochs_.back())  // used in it, and older since its middle
            ReuseTable::spread(pages / 2, Seconds(0), passed(kind) / 2, pages_[kind]);
        else
            ReuseTable::spread(pages, age - passed(kind), age, pages_[kind]);
    }
}

void PageAges::end_epoch(ReuseTable& table) {
    ++batch_;
    bound_shares();
    for (const Epoch& epoch : epochs_)
        count_pages(epoch);
    table.add(passed_, uses_, pages_);
    is_first_ = false;
    passed_ = {};
    uses_ = {};
    pages_ = {};
    arrivals_.clear();
    returned_.clear();
    returned_pages_ = {};
    find_median();
}

ReuseTable::ByKind PageAges::present() const {
    ReuseTable::ByKind pages{};
    for (const Epoch& epoch : epochs_) {
        if (epoch.shares.empty())
            continue;
        const auto ranges = ReuseTable::ranges_of(ages_of(epoch));
        for (PageKind kind = 0; kind < nr_page_kinds; ++kind)
            pages[kind][ranges[kind]] += epoch.pages(kind);
    }
    return pages;
}

KeptPages PageAges::best_to_keep(const ReuseTable::ByKind& value) const {
    struct Sum {
        double value = 0;
        double best = 0;
        std::uint64_t pages = 0;
        double missing = 0;
        std::uint64_t kept = 0;
        Seconds age{0};
    };
    std::map<CgroupId, Sum> sums;
    for (std::size_t epoch = epochs_.size(); epoch-- > 0;) {
        if (epochs_[epoch].shares.empty())
            continue;
        const ReuseTable::Times age = ages_of(epochs_[epoch]);
        const auto ranges = ReuseTable::ranges_of(age);
        for (const Share& share : epochs_[epoch].shares) {
            Sum& sum = sums[share.cgroup];
            for (std::size_t kind = 0; kind < nr_page_kinds; ++kind) {
                const double each = value[kind][ranges[kind]];
                sum.pages += share.resident[kind];
                sum.value += share.resident[kind] * each;
                if (each > 0)
                    sum.missing += static_cast<double>(share.evicted[kind]);
            }
            if (sum.value > sum.best) {
                sum.best = sum.value;
                sum.kept = sum.pages + static_cast<std::uint64_t>(std::llround(sum.missing));
                sum.age = age.attended;
            }
        }
    }
    KeptPages kept;
    for (const auto& [cgroup, sum] : sums) {
        if (sum.kept == 0)
            continue;
        kept.pages += Pages(sum.kept);
        kept.by_cgroup.push_back({cgroup, Pages(sum.kept), sum.age});
    }
    return kept;
}

// The sample shows how old the evicted pages were, the kernel's count how many they are.
void PageAges::note_evictions() {
    std::sort(left_.begin(), left_.end(), [](const LastUse& left, const LastUse& right) { return left.epoch < right.epoch; });
    auto freed = left_.begin();
    double seen = 0;
    for (; freed != left_.end(); ++freed) {
        const bool was_evicted = evicted_now_ ? seen + freed->weight / 2.0 < *evicted_now_ : freed->epoch <= median_epoch_;
        if (!was_evicted)
            break;
        seen += freed->weight;
        epochs_[freed->epoch].of(freed->cgroup).evicted[freed->kind] += static_cast<float>(freed->weight);
    }
    left_.erase(freed, left_.end());
    // Pages that no scan saw came and went within this epoch.
    const double unseen = evicted_now_ ? std::max(*evicted_now_ - seen, 0.0) : 0;
    for (const LastUse& left : left_)
        log_eviction(left.epoch, left.weight);
    if (unseen > 0)
        log_eviction(static_cast<std::uint32_t>(epochs_.size() - 1), unseen);
    left_.clear();
    evicted_now_.reset();
}

void PageAges::log_eviction(std::uint32_t epoch, double pages) {
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

// Finds the last use of pages that came back, and counts their use. Pages that left in earlier epochs went oldest first, by and
// large. Those that came back within the epoch in which they left may be any of those that left in it: the kernel takes from all
// cgroups in turn.
void PageAges::take_back(const Returned& returned, const ReuseTable::ByKind& hazards) {
    const double distance = (returned.refault.distance_from + returned.refault.distance_to).as_double() / 2;
    auto left = std::upper_bound(evictions_.begin(), evictions_.end(), returned.evicted.value_or(evicted_) - distance,
                                 [](double position, const Eviction& eviction) { return position < eviction.until; });
    if (left == evictions_.end())
        return;
    auto last = std::next(left);
    if (left->batch == batch_) {
        left = std::find_if(evictions_.begin(), left, [&](const Eviction& eviction) { return eviction.batch == batch_; });
        last = evictions_.end();
    }
    std::vector<std::uint32_t> epochs;
    std::transform(left, last, std::back_inserter(epochs), [](const Eviction& eviction) { return eviction.epoch; });
    const double pages = returned.refault.pages.as_double();
    take_back(epochs, static_cast<std::size_t>(Backing::anonymous), returned.anonymous * pages, hazards);
    take_back(epochs, static_cast<std::size_t>(Backing::file), (1 - returned.anonymous) * pages, hazards);
}

// The likelier a page is used at its age, the likelier it is the one. If none is known, the page was never seen, so it was used
// once, in the last of the epochs.
void PageAges::take_back(std::span<const std::uint32_t> epochs, std::size_t backing, double pages,
                         const ReuseTable::ByKind& hazards) {
    const auto likelihood = [&](const Epoch& epoch, const Share& share, PageKind kind) {
        return static_cast<double>(share.evicted[kind]) * hazards[kind][ReuseTable::range_of(ages_of(epoch), kind)];
    };
    double all = 0;
    for (const std::uint32_t epoch : epochs) {
        for (const Share& share : epochs_[epoch].shares) {
            for (std::size_t use = 0; use < nr_uses; ++use)
                all += likelihood(epochs_[epoch], share, kind_of(backing, use));
        }
    }
    if (all <= 0) {
        count_use(epochs_[epochs.back()], kind_of(backing, static_cast<std::size_t>(Use::once)), pages);
        return;
    }
    for (const std::uint32_t index : epochs) {
        Epoch& epoch = epochs_[index];
        for (Share& share : epoch.shares) {
            for (std::size_t use = 0; use < nr_uses; ++use) {
                const PageKind kind = kind_of(backing, use);
                const double count = pages * likelihood(epoch, share, kind) / all;
                count_use(epoch, kind, count);
                arrivals_[share.cgroup].returned[backing] += count;
                share.evicted[kind] = std::max(share.evicted[kind] - static_cast<float>(count), 0.0F);
            }
        }
        std::erase_if(epoch.shares, [](const Share& share) { return share.empty(); });
    }
}

void PageAges::find_median() {
    const auto resident = [](const Epoch& epoch) {
        std::uint64_t sum = 0;
        for (const Share& share : epoch.shares)
            sum = std::accumulate(share.resident.begin(), share.resident.end(), sum);
        return sum;
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

std::size_t PageAges::nr_shares() const {
    return std::accumulate(epochs_.begin(), epochs_.end(), std::size_t{0},
                           [](std::size_t sum, const Epoch& epoch) { return sum + epoch.shares.size(); });
}

// Cgroups may come and go without end, and their evicted pages may never come back.
void PageAges::bound_shares() {
    if (nr_shares() <= max_shares_)
        return;
    for (Epoch& epoch : epochs_) {
        Share ended{};
        for (const Share& share : epoch.shares) {
            for (std::size_t kind = 0; kind < nr_page_kinds && !share.has_resident(); ++kind)
                ended.evicted[kind] += share.evicted[kind];
        }
        std::erase_if(epoch.shares, [](const Share& share) { return !share.has_resident(); });
        for (std::size_t kind = 0; kind < nr_page_kinds; ++kind)
            epoch.of(unknown_cgroup).evicted[kind] += ended.evicted[kind];
    }
}

}  // namespace tmm::core
