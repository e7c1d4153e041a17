// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/soft/soft_room.hpp"

#include <algorithm>

namespace tmm::core {

Pages soft_pages(const MemoryUsage& usage, Bytes page_bytes, std::span<const SoftHeap> heaps) {
    Bytes used{0};
    for (const SoftHeap& heap : heaps)
        used += heap.used;
    return std::min(to_pages(used, page_bytes), usage.opaque);
}

SoftRoom soft_room(const MemoryUsage& usage, Pages kept, Bytes page_bytes) {
    const Bytes used = to_bytes(usage.soft, page_bytes);
    const auto reserve = static_cast<std::uint64_t>(soft_reserve * to_bytes(usage.total, page_bytes).as_double());
    const Bytes lowest = Bytes(reserve) + to_bytes(kept, page_bytes);
    const Bytes room = saturating_sub(used + to_bytes(free_pages(usage), page_bytes), lowest);
    return {room, used > room};
}

}  // namespace tmm::core
