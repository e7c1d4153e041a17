// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The values that flow through core/. Memory is counted in base pages throughout; bytes appear only at the edges of the program.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace tmm::core {

using Pages = std::uint64_t;
using PageKey = std::uint64_t;               // identity of a page, opaque to core/
using TimePoint = std::chrono::nanoseconds;  // of a clock that never goes back; its origin does not matter
using Seconds = std::chrono::duration<double>;

// A sampled page; it stands for weight pages of memory.
struct SampledPage {
    PageKey key = 0;
    std::uint32_t weight = 1;
};

// Opaque pages that came back into memory. Between distance_from and distance_to opaque pages had been evicted since they left.
struct Refault {
    Pages distance_from = 0;
    Pages distance_to = 0;
    Pages pages = 0;
};

// What a sample source learned about opaque memory in one epoch.
struct EpochSample {
    std::vector<SampledPage> referenced;  // used since the last epoch, new pages included; each at most once
    std::vector<PageKey> gone;            // were known, are no longer resident
    std::vector<Refault> refaults;
};

// How memory is divided at one moment. total is what the two classes can have together.
struct MemoryUsage {
    Pages total = 0;
    Pages opaque = 0;
    Pages transparent = 0;
};

}  // namespace tmm::core
