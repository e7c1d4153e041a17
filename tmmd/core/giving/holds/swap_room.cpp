// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/holds/swap_room.hpp"

#include <algorithm>
#include <cstdint>

namespace tmm::core {

namespace {

// Contributions thaw only after 1/50 of memory is free again, so that they do not freeze and thaw in turns.
constexpr unsigned parts_to_go_on = 50;

// Fewer swapped pages than this part of memory do not tell how well others compress.
constexpr unsigned parts_to_tell = 50;

// Returns the memory that a swapped page takes, as a share of a page; none: nobody knows. 0 if there is a disk, too: pages that
// do not compress go there.
std::optional<double> cost_of(const SwapInMemory& swap, Pages total) {
    if (!swap.is_all)
        return 0;
    if (swap.taken == Pages(0) || swap.stored < total / parts_to_tell)
        return std::nullopt;
    // Compressed pages lie between gaps, which may take more memory than was saved.
    return std::min(ratio(swap.taken, swap.stored), 1.0);
}

// Free memory without what the kernel needs.
Pages room(const MemoryUsage& usage) {
    return saturating_sub(free_pages(usage), kept_free(usage.total, true));
}

Pages scaled(Pages pages, double factor) {
    return Pages(static_cast<std::uint64_t>(factor * pages.as_double()));
}

// Memory that contributions' pages take there, all of it at most: behind zswap, the kernel counts their pages on the disk as
// well.
Pages taken_by_contributions(const SwapInMemory& swap) {
    return swap.stored == Pages(0) ? Pages(0) : scaled(swap.taken, std::min(ratio(swap.contributed, swap.stored), 1.0));
}

// Memory that is to be left for all of what opaque programs are to have to be protected.
Pages enough_for(Pages wanted, Pages total) {
    return scaled(wanted + kept_free(total, true), 1 / (1 - min_reclaimable));
}

}  // namespace

bool SwapRoom::is_futile(Pages total, const SwapInMemory& swap) {
    const auto cost = cost_of(swap, total);
    return cost && *cost > 0.8;
}

bool SwapRoom::step(const MemoryUsage& usage, Pages wanted, const SwapInMemory& swap) {
    const Pages least = std::min(enough_for(wanted, usage.total), wanted + taken_by_contributions(swap));
    const Pages enough = least + (held_ ? usage.total / parts_to_go_on : Pages(0));
    const Pages least_free = kept_free(usage.total, true) / (held_ ? 1 : 2);
    const bool is_full = is_futile(usage.total, swap) && free_pages(usage) < least_free;
    held_ = swap.taken > Pages(0) && wanted > Pages(0) && (usage.total <= enough || is_full);
    return held_;
}

Pages SwapRoom::most(const MemoryUsage& usage, Pages opaque_limit, Pages files, const SwapInMemory& swap) {
    const auto cost = cost_of(swap, usage.total);
    if (!cost || !swap.is_all)
        return usage.total;
    if (is_futile(usage.total, swap))
        return usage.transparent + room(usage);
    const Pages excess = saturating_sub(usage.opaque, opaque_limit);
    const Pages excess_files = std::min(excess, files);
    return usage.transparent + room(usage) + excess_files + scaled(excess - excess_files, 1 - *cost);
}

Pages SwapRoom::first_growth(Pages total) {
    return 2 * (total / parts_to_tell);
}

std::optional<Pages> SwapRoom::growth(const MemoryUsage& usage, Pages transparent_limit, const SwapInMemory& swap) {
    const auto cost = cost_of(swap, usage.total);
    if (is_futile(usage.total, swap))
        return scaled(room(usage), 1 / *cost);
    if (transparent_limit == Pages(0))
        return std::nullopt;
    if (!cost)
        return first_growth(usage.total);
    if (*cost > 0.5)
        return std::max(scaled(room(usage), 1 / *cost), usage.transparent / 2);
    return std::max(transparent_limit / 2, usage.transparent);
}

}  // namespace tmm::core
