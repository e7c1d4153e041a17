// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/read_back_rule.hpp"

#include <algorithm>

namespace tmm::core {

bool ReadBackRule::asks_for_swapped(const std::optional<Seconds>& idle_for) const {
    const bool away = idle_for && *idle_for >= min_break;
    return away ? !away_ : away_ || returned_.has_value();
}

// Returns whether the owner is away.
bool ReadBackRule::follow_presence(const std::optional<Seconds>& idle_for, AwakeTime now) {
    const bool away = idle_for && *idle_for >= min_break;
    if (away_ && idle_for && !away)
        returned_ = now;
    if (away || (returned_ && now - *returned_ >= minute))
        returned_.reset();
    return away;
}

// Returns the losses of the break, the largest first. A cgroup that began meanwhile counts for none: nobody used it before.
std::vector<ReadBackShare> ReadBackRule::lost(const Swapped& swapped) const {
    std::vector<ReadBackShare> shares;
    for (const auto& [cgroup, pages] : swapped) {
        const auto before = before_->find(cgroup);
        if (before != before_->end() && pages > before->second)
            shares.push_back({cgroup, pages - before->second});
    }
    std::ranges::stable_sort(shares, std::ranges::greater(), &ReadBackShare::pages);
    if (shares.size() > max_cgroups)
        shares.resize(max_cgroups);
    return shares;
}

ReadBackAction ReadBackRule::begin(const ReadBackInputs& inputs, AwakeTime now) {
    if (!returned_ || !before_ || !inputs.swapped || !inputs.latency)
        return {};
    ReadBackAction action{.read = lost(*inputs.swapped), .stop = false, .evict = Pages(0)};
    returned_.reset();
    ordered_ = Pages(0);
    for (const ReadBackShare& share : action.read)
        ordered_ += share.pages;
    if (*inputs.latency < min_latency || *inputs.latency * ordered_.as_double() < min_waiting)
        return {};
    began_ = now;
    evicted_ = false;
    return action;
}

// Returns the memory of contributions that stand still which the order needs. It asks once: what a request could not bring, a
// second one could not, either.
Pages ReadBackRule::room_to_make(const ReadBackInputs& inputs) {
    if (evicted_ || !inputs.held || inputs.evicting || !inputs.usage)
        return Pages(0);
    const MemoryUsage& usage = *inputs.usage;
    const Pages free = saturating_sub(usage.total, usage.opaque + usage.transparent);
    const Pages lack = std::min(saturating_sub(ordered_, free), usage.transparent);
    if (lack < std::max(usage.total / parts, Pages(1)))
        return Pages(0);
    evicted_ = true;
    return lack;
}

ReadBackAction ReadBackRule::step(const ReadBackInputs& inputs, AwakeTime now) {
    const bool away = follow_presence(inputs.idle_for, now);
    if (away && !away_)
        before_ = inputs.swapped;
    away_ = away;
    if (!began_)
        return begin(inputs, now);
    if (!inputs.reading) {
        began_.reset();
        return {};
    }
    if (away || now - *began_ >= max_reading) {
        began_.reset();
        return {.read = {}, .stop = true, .evict = Pages(0)};
    }
    return {.read = {}, .stop = false, .evict = room_to_make(inputs)};
}

}  // namespace tmm::core
