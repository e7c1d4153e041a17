// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/generations/pseudo_pages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tmm::core {

namespace {

// Cohorts kept apart. The oldest are merged: they differ little in age.
constexpr std::size_t max_cohorts = 64;
constexpr Seconds least_age{1};

void append(std::vector<PageKey>& keys, const std::vector<PageKey>& more) {
    keys.insert(keys.end(), more.begin(), more.end());
}

}  // namespace

// splitmix64
std::uint64_t PseudoPages::random() {
    std::uint64_t x = random_state_ += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

PageKey PseudoPages::take_any(std::vector<PageKey>& keys) {
    std::swap(keys[random() % keys.size()], keys.back());
    const PageKey key = keys.back();
    keys.pop_back();
    return key;
}

// Takes pages until there are so many.
void PseudoPages::take_until(std::vector<PageKey>& taken, std::size_t wanted, std::vector<PageKey>& keys) {
    while (taken.size() < wanted && !keys.empty())
        taken.push_back(take_any(keys));
}

// Returns the number of whole pseudo pages, at most those available. The rest waits for the next epoch.
std::size_t PseudoPages::whole(Pending& pending, Pages pages, std::size_t available) const {
    pending.pages += pages.count();
    const auto number = static_cast<std::size_t>(std::min<std::uint64_t>(pending.pages / pages_each_, available));
    pending.pages -= static_cast<std::uint64_t>(number) * pages_each_;
    return number;
}

std::vector<PageKey> PseudoPages::make(Pending& pending, Pages pages) {
    std::vector<PageKey> keys(whole(pending, pages, std::numeric_limits<std::size_t>::max()));
    for (PageKey& key : keys)
        key = next_key_++;
    return keys;
}

std::vector<PageKey> PseudoPages::take_recent(Group& group, Pending& pending, Pages pages) {
    std::vector<PageKey> taken(whole(pending, pages, group.recent.size()));
    for (PageKey& key : taken)
        key = take_any(group.recent);
    return taken;
}

// Takes old pages, from each cohort in proportion to its size and its odds, as far as it has enough. wanted: at most all.
std::vector<PageKey> PseudoPages::take(Group& group, const std::vector<double>& odds, std::size_t wanted) {
    std::vector<PageKey> taken;
    while (taken.size() < wanted) {
        double sum = 0;
        for (std::size_t i = 0; i < odds.size(); ++i)
            sum += odds[i] * static_cast<double>(group.old[i].keys.size());
        const auto missing = static_cast<double>(wanted - taken.size());
        // Sums up the shares, so that rounding loses none.
        double due = 0;
        std::size_t given = 0;
        for (std::size_t i = 0; i < odds.size(); ++i) {
            std::vector<PageKey>& keys = group.old[i].keys;
            due += missing * odds[i] * static_cast<double>(keys.size()) / sum;
            const auto number =
                std::min(static_cast<std::size_t>(std::max(std::llround(due) - static_cast<long long>(given), 0LL)),
                         std::min(keys.size(), wanted - taken.size()));
            for (std::size_t k = 0; k < number; ++k)
                taken.push_back(take_any(keys));
            given += number;
        }
        if (given == 0)
            break;
    }
    return taken;
}

Seconds PseudoPages::age_of(const Cohort& cohort, Seconds min_age) const {
    return std::max({clock_ - cohort.last_used, min_age, least_age});
}

// The pages are those before the epoch, of that length.
void PseudoPages::learn_hazard(const PageFlow& flow, Seconds length, Group& group) const {
    double old = 0;
    double log_ages = 0;
    for (const Cohort& cohort : group.old) {
        const auto number = static_cast<double>(cohort.keys.size());
        old += number;
        log_ages += number * std::log(age_of(cohort, length) / std::max(length, least_age));
    }
    group.hazard.epoch_ended({.recent = static_cast<double>(group.recent.size()) * pages_each_,
                              .used_recent = flow.used_recent.as_double(),
                              .old = old * pages_each_,
                              .used_old = flow.used_old.as_double(),
                              .log_age = old > 0 ? log_ages / old : 0});
}

std::vector<PageKey> PseudoPages::take_used(Group& group, Pages pages, Seconds min_age, OldUses old_uses) {
    const double exponent = group.hazard.exponent();
    std::size_t all = 0;
    std::vector<double> odds;
    for (const Cohort& cohort : group.old) {
        all += cohort.keys.size();
        odds.push_back(std::pow(age_of(cohort, min_age).count(), -exponent));
    }
    const std::size_t wanted = whole(group.used_old, pages, all);
    if (old_uses == OldUses::by_hazard)
        return take(group, odds, wanted);
    std::vector<PageKey> taken;
    std::for_each(group.old.rbegin(), group.old.rend(), [&](Cohort& cohort) { take_until(taken, wanted, cohort.keys); });
    return taken;
}

std::vector<PageKey> PseudoPages::take_gone(Group& group, Pages pages, Pages evicted) {
    std::size_t all = 0;
    for (const Cohort& cohort : group.old)
        all += cohort.keys.size();
    const std::size_t wanted = whole(group.gone_old, pages, all);
    const auto oldest = std::min<std::uint64_t>(wanted, evicted.count() / pages_each_);
    std::vector<PageKey> taken;
    for (Cohort& cohort : group.old)
        take_until(taken, oldest, cohort.keys);
    append(taken, take(group, std::vector<double>(group.old.size(), 1.0), wanted - taken.size()));
    return taken;
}

void PseudoPages::end_epoch(const PageFlow& flow, Pages evicted, const SampledPage& page, Seconds length, OldUses old_uses,
                            Group& group, EpochSample& sample) {
    learn_hazard(flow, length, group);
    append(sample.gone, take_recent(group, group.gone_recent, flow.gone_recent));
    append(sample.gone, take_gone(group, flow.gone_old, evicted));
    std::vector<PageKey> used = take_recent(group, group.used_recent, flow.used_recent);
    append(used, take_used(group, flow.used_old, length, old_uses));
    append(used, make(group.came, flow.came));
    const std::vector<PageKey> came_old = make(group.came_old, flow.came_old);
    for (const std::vector<PageKey>* keys : {&std::as_const(used), &came_old}) {
        for (const PageKey key : *keys)
            sample.referenced.push_back({key, page.weight, page.backing, page.cgroup});
    }
    // Those that were recent were last used before this epoch; those that came into an older generation, in it.
    group.old.push_back({clock_ - length, std::move(group.recent)});
    group.old.push_back({clock_, came_old});
    group.recent = std::move(used);
    std::erase_if(group.old, [](const Cohort& cohort) { return cohort.keys.empty(); });
    while (group.old.size() > max_cohorts) {
        Cohort& second = group.old[1];
        append(second.keys, group.old[0].keys);
        group.old.pop_front();
    }
}

void PseudoPages::drop_missing(const FlowByCgroup& flows, EpochSample& sample) {
    for (const auto& [cgroup, groups] : groups_) {
        if (flows.contains(cgroup))
            continue;
        for (const Group& group : groups) {
            append(sample.gone, group.recent);
            for (const Cohort& cohort : group.old)
                append(sample.gone, cohort.keys);
        }
    }
    std::erase_if(groups_, [&](const auto& one) { return !flows.contains(one.first); });
}

EpochSample PseudoPages::end_epoch(const FlowByCgroup& flows, Pages evicted, Seconds length, OldUses old_uses) {
    EpochSample sample;
    clock_ += length;
    drop_missing(flows, sample);
    for (const PageList list : {PageList::anonymous, PageList::file, PageList::read}) {
        const auto index = static_cast<std::size_t>(list);
        Pages gone{0};
        for (const auto& [cgroup, flow] : flows)
            gone += flow[index].gone_old;
        // Evictions belong to anonymous pages first, and to cgroups in proportion to what went. Sums up the shares, so that
        // rounding loses none.
        const Pages evicted_here = std::min(evicted, gone);
        Pages seen{0};
        Pages given{0};
        for (const auto& [cgroup, flow] : flows) {
            seen += flow[index].gone_old;
            const Pages due(gone == Pages(0) ? 0 : std::llround(evicted_here.as_double() * ratio(seen, gone)));
            const Group fresh(pages_each_ / 2);
            Groups& groups = groups_.try_emplace(cgroup, Groups{fresh, fresh, fresh}).first->second;
            end_epoch(flow[index], due - given, {0, pages_each_, backing_of(list), cgroup}, length, old_uses, groups[index],
                      sample);
            given = due;
        }
        evicted = evicted - evicted_here;
    }
    return sample;
}

}  // namespace tmm::core
