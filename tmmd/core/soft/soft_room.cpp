// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/soft/soft_room.hpp"

#include <algorithm>

namespace tmm::core {

Bytes soft_room(const MemoryUsage& usage, Bytes page_bytes, std::span<const SoftHeap> heaps) {
    Bytes used{0};
    for (const SoftHeap& heap : heaps)
        used += heap.used;
    // It is opaque memory, whatever programs claim.
    used = std::min(used, to_bytes(usage.opaque, page_bytes));
    const Pages free = saturating_sub(usage.total, usage.opaque + usage.transparent);
    const auto reserve = static_cast<std::uint64_t>(soft_reserve * to_bytes(usage.total, page_bytes).as_double());
    return saturating_sub(used + to_bytes(free, page_bytes), Bytes(reserve));
}

}  // namespace tmm::core
