// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/swap_room.hpp"

#include <algorithm>
#include <cstdint>

namespace tmm::core {

namespace {

// Contributions thaw only after 1/50 of memory is free again, so that they do not freeze and thaw in turns.
constexpr unsigned parts_to_go_on = 50;

// Fewer swapped pages than this part of memory do not tell how well others compress.
constexpr unsigned parts_to_tell = 50;

// The kernel evicts in the background when less than its watermark is free, less than this part.
constexpr unsigned parts_kept_free = 50;

}  // namespace

bool SwapRoom::step(Pages total, Pages wanted, const SwapInMemory& swap) {
    const Pages enough = wanted + (held_ ? total / parts_to_go_on : Pages(0));
    held_ = swap.taken > Pages(0) && wanted > Pages(0) && total <= enough;
    return held_;
}

Pages SwapRoom::most(const MemoryUsage& usage, Pages opaque_limit, Pages files, const SwapInMemory& swap) {
    if (swap.taken == Pages(0) || swap.stored < usage.total / parts_to_tell)
        return usage.total;
    // More memory than pages: the compressed ones lie between gaps.
    const double gain = 1 - std::min(ratio(swap.taken, swap.stored), 1.0);
    const Pages excess = saturating_sub(usage.opaque, opaque_limit);
    const Pages excess_files = std::min(excess, files);
    const Pages excess_swapped(static_cast<std::uint64_t>(gain * (excess - excess_files).as_double()));
    return usage.transparent + saturating_sub(free_pages(usage), usage.total / parts_kept_free) + excess_files + excess_swapped;
}

}  // namespace tmm::core
