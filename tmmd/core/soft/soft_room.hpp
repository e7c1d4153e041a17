// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// How much memory all soft heaps together may have. Pure; thread-safe.
#pragma once

#include <span>

#include "base/quantity.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/core/soft/soft_heap.hpp"

namespace tmm::core {

// Of memory; stays free, so that others can grow before the kernel begins to reclaim. The same as softlib's own.
inline constexpr double soft_reserve = 0.05;

struct SoftRoom {
    Bytes bytes{0};
    // They have more, so others are about to lack memory.
    bool is_exceeded = false;

    bool operator==(const SoftRoom&) const = default;
};

// What they have of opaque memory; no more than that, whatever programs claim.
Pages soft_pages(const MemoryUsage& usage, Bytes page_bytes, std::span<const SoftHeap> heaps);

// usage.soft, and what is free beyond the reserve and what the kernel keeps; less than they have if less is free. Soft memory
// costs nothing to take back, so it may use what contributions are not allowed to. kept: with less free the kernel reclaims.
SoftRoom soft_room(const MemoryUsage& usage, Pages kept, Bytes page_bytes);

}  // namespace tmm::core
