// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The order in which evicted memory is read back: most recently used first, as far as the kernel tells. It tells of no evicted
// page when it was used. It tells which processes fetch pages and run now, and which of a process's mappings have pages that were
// used. Pure.
#pragma once

#include <cstdint>
#include <span>

#include "base/quantity.hpp"

namespace tmm::core {

// A process, with what it did since the return.
struct ProcessUse {
    std::int32_t pid = 0;
    std::uint64_t faults = 0;   // major: it fetched pages
    std::uint64_t ticks = 0;    // of processor time
    std::uint64_t started = 0;  // in ticks since boot
};

// Puts those first that fetched most pages; then those that ran most, then those that started last.
void put_most_recent_first(std::span<ProcessUse> processes);

// A mapping of a process: addresses from begin to end.
struct MappingUse {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    Bytes swapped{0};
    Bytes resident{0};
    Bytes referenced{0};  // of the resident memory
};

// Puts those first of which the largest share is used. Those of which nothing is resident come last, since nothing is known.
void put_most_recent_first(std::span<MappingUse> mappings);

}  // namespace tmm::core
