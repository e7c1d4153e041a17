// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/generations/generation_flow.hpp"

#include <algorithm>
#include <cmath>

namespace tmm::core {

namespace {

// The pages of a list by group. Pages of both groups may be merged; then only the sum is known.
struct Groups {
    Pages young{0};  // in the generations since the last epoch
    Pages recent{0};
    Pages old{0};

    [[nodiscard]] Pages older() const { return recent + old; }
};

// Losses of the two groups.
struct Losses {
    Pages recent{0};
    Pages old{0};

    [[nodiscard]] Pages sum() const { return recent + old; }
};

// Returns the pages in the generations from ... until - 1.
Pages pages_between(const Generations& list, std::uint64_t from, std::uint64_t until, std::size_t backing) {
    Pages sum{0};
    for (std::size_t i = 0; i < list.pages.size(); ++i) {
        if (list.oldest + i >= from && list.oldest + i < until)
            sum += list.pages[i][backing];
    }
    return sum;
}

// Returns the first generation that the kernel has merged with no older one.
std::uint64_t first_unmerged(const Generations& list) {
    return std::max<std::uint64_t>(list.youngest() + 2, max_generations) - max_generations;
}

// Divides pages in proportion to two weights; if both are 0, all are old.
Losses divide(Pages pages, Pages recent, Pages old) {
    const Pages weights = recent + old;
    if (weights == Pages(0))
        return {Pages(0), pages};
    const Pages of_recent(std::llround(pages.as_double() * ratio(recent, weights)));
    return {std::min(of_recent, pages), saturating_sub(pages, of_recent)};
}

// Returns the losses from one reading to the next, and adds pages that appeared in older generations to came_old.
Losses losses(const Groups& earlier, Groups& later, bool merged, Pages& came_old) {
    if (merged) {
        const Losses lost = divide(saturating_sub(earlier.older(), later.older()), earlier.recent, earlier.old);
        came_old += saturating_sub(later.older(), earlier.older());
        const Losses left = divide(later.older(), earlier.recent, earlier.old);
        later.recent = left.recent;
        later.old = left.old;
        return lost;
    }
    came_old += saturating_sub(later.recent, earlier.recent) + saturating_sub(later.old, earlier.old);
    return {saturating_sub(earlier.recent, later.recent), saturating_sub(earlier.old, later.old)};
}

// Takes used pages out of the losses, from each group in proportion; all others are gone.
void settle(const Losses& lost, Pages used, PageFlow& flow) {
    const Losses of_used = divide(used, lost.recent, lost.old);
    flow.used_recent += of_used.recent;
    flow.used_old += of_used.old;
    flow.gone_recent += saturating_sub(lost.recent, of_used.recent);
    flow.gone_old += saturating_sub(lost.old, of_used.old);
}

// The borders of a list's groups, as of the last epoch.
struct Borders {
    std::uint64_t recent_from;
    std::uint64_t young_from;

    // Returns whether the kernel has merged recent pages with old ones.
    [[nodiscard]] bool merged(const Generations& list) const { return recent_from < first_unmerged(list); }
    [[nodiscard]] Groups groups(const Generations& list, std::uint64_t until, std::size_t backing) const {
        const std::uint64_t young = std::max(young_from, first_unmerged(list));
        return {pages_between(list, young, until, backing), pages_between(list, recent_from, young, backing),
                pages_between(list, 0, recent_from, backing)};
    }
};

// known: as of the last epoch. Pages that came into the youngest generation after the ageing call belong to the next epoch.
PageFlow flow_of(const Groups& known, const Borders& borders, const Generations& before, const Generations& after,
                 std::size_t backing) {
    PageFlow flow;
    Groups then = borders.groups(before, before.youngest() + 1, backing);
    Groups now = borders.groups(after, after.youngest(), backing);
    const Losses lost_before = losses(known, then, borders.merged(before), flow.came_old);
    // If the kernel aged the list by itself, pages that left an older generation were used, as far as younger ones grew.
    const bool aged_by_kernel = before.youngest() > borders.young_from;
    const Pages promoted = aged_by_kernel ? std::min(lost_before.sum(), then.young) : Pages(0);
    settle(lost_before, promoted, flow);
    const Losses lost_by_ageing = losses(then, now, borders.merged(after), flow.came_old);
    const Pages grown = saturating_sub(now.young, then.young);
    const Pages used = std::min(lost_by_ageing.sum(), grown);
    settle(lost_by_ageing, used, flow);
    flow.came = saturating_sub(now.young, promoted + used);
    // Used pages that were merged with older ones meanwhile are not new.
    flow.came_old = saturating_sub(flow.came_old, saturating_sub(promoted + used, now.young));
    return flow;
}

// A list that is seen for the first time.
PageFlow flow_of_new(const Generations& after, std::size_t backing) {
    PageFlow flow;
    const std::uint64_t youngest = after.youngest();
    flow.came = pages_between(after, youngest == 0 ? 0 : youngest - 1, youngest, backing);
    flow.came_old = pages_between(after, 0, youngest == 0 ? 0 : youngest - 1, backing);
    return flow;
}

}  // namespace

PageFlow& PageFlow::operator+=(const PageFlow& other) {
    used_recent += other.used_recent;
    used_old += other.used_old;
    gone_recent += other.gone_recent;
    gone_old += other.gone_old;
    came += other.came;
    came_old += other.came_old;
    return *this;
}

PageFlow without_old_uses(const PageFlow& flow) {
    PageFlow other = flow;
    other.gone_old += flow.used_old;
    other.came += flow.used_old;
    other.used_old = Pages(0);
    return other;
}

FlowByCgroup GenerationTracker::end_epoch(std::span<const Generations> before, std::span<const Generations> after) {
    std::map<Key, const Generations*> readings_before;
    for (const Generations& list : before)
        readings_before[{list.memcg, list.node}] = &list;
    FlowByCgroup flows;
    std::map<Key, List> lists;
    for (const Generations& list : after) {
        const Key key(list.memcg, list.node);
        const auto known = lists_.find(key);
        const auto reading = readings_before.find(key);
        // A number may belong to another cgroup by now.
        const bool is_new = known == lists_.end() || known->second.cgroup != list.cgroup;
        const bool was_read = reading != readings_before.end() && reading->second->cgroup == list.cgroup;
        List next{list.cgroup, is_new ? list.id : known->second.id, 0, list.youngest(), {}, {}};
        GenerationFlow& sum = flows[next.id];
        next.recent_from =
            is_new ? std::max<std::uint64_t>(list.youngest(), 1) - 1 : std::max(known->second.young_from, first_unmerged(list));
        for (std::size_t backing = 0; backing < nr_backings; ++backing) {
            if (is_new)
                sum[backing] += flow_of_new(list, backing);
            else
                sum[backing] += flow_of({Pages(0), known->second.recent[backing], known->second.old[backing]},
                                        {known->second.recent_from, known->second.young_from}, was_read ? *reading->second : list,
                                        list, backing);
            next.recent[backing] = pages_between(list, next.recent_from, next.young_from, backing);
            next.old[backing] = pages_between(list, 0, next.recent_from, backing);
        }
        if (!is_new)
            lists_.erase(known);
        lists[key] = std::move(next);
    }
    for (const auto& [key, vanished] : lists_) {
        const auto flow = flows.find(vanished.id);
        for (std::size_t backing = 0; flow != flows.end() && backing < nr_backings; ++backing) {
            flow->second[backing].gone_recent += vanished.recent[backing];
            flow->second[backing].gone_old += vanished.old[backing];
        }
    }
    lists_ = std::move(lists);
    return flows;
}

}  // namespace tmm::core
