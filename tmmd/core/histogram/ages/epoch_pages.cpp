// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/ages/epoch_pages.hpp"

#include <algorithm>
#include <numeric>

namespace tmm::core {

bool EpochPages::Share::has_resident() const {
    return std::any_of(resident.begin(), resident.end(), [](std::uint32_t pages) { return pages > 0; });
}

bool EpochPages::Share::empty() const {
    return !has_resident() && std::all_of(evicted.begin(), evicted.end(), [](float pages) { return pages <= 0; });
}

void EpochPages::Share::add(const Share& other) {
    for (std::size_t kind = 0; kind < nr_page_kinds; ++kind) {
        resident[kind] += other.resident[kind];
        evicted[kind] += other.evicted[kind];
    }
}

EpochPages::Share& EpochPages::of(CgroupId cgroup) {
    const auto share = std::find_if(shares.begin(), shares.end(), [&](const Share& one) { return one.cgroup == cgroup; });
    return share != shares.end() ? *share : shares.emplace_back(Share{cgroup, {}, {}});
}

void EpochPages::take(const LastUse& last) {
    Share& share = of(last.cgroup);
    share.resident[last.kind] -= last.weight;
    if (share.resident[last.kind] == 0 && share.empty()) {
        share = shares.back();
        shares.pop_back();
    }
}

void EpochPages::merge(const EpochPages& next) {
    end = next.end;
    for (const Share& share : next.shares)
        of(share.cgroup).add(share);
}

void EpochPages::disown_evicted() {
    Share ended;
    for (const Share& share : shares) {
        if (!share.has_resident())
            ended.add(share);
    }
    std::erase_if(shares, [](const Share& share) { return !share.has_resident(); });
    of(unknown_cgroup).add(ended);
}

std::array<double, nr_page_kinds> EpochPages::by_kind() const {
    std::array<double, nr_page_kinds> pages{};
    for (const Share& share : shares) {
        for (std::size_t kind = 0; kind < nr_page_kinds; ++kind)
            pages[kind] += share.resident[kind] + static_cast<double>(share.evicted[kind]);
    }
    return pages;
}

std::uint64_t EpochPages::resident() const {
    std::uint64_t sum = 0;
    for (const Share& share : shares)
        sum = std::accumulate(share.resident.begin(), share.resident.end(), sum);
    return sum;
}

}  // namespace tmm::core
