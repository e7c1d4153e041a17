// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The values that flow through core/. Memory is counted in base pages throughout; bytes appear only at the edges of the program.
// Neither converts to the other but by to_bytes() and to_pages().
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/quantity.hpp"

namespace tmm::core {

using Pages = Quantity<struct PagesTag>;
using PageKey = std::uint64_t;  // identity of a page, opaque to core/
using Seconds = std::chrono::duration<double>;

// page_bytes: of a base page, above 0.
constexpr Bytes to_bytes(Pages pages, Bytes page_bytes) {
    return page_bytes * pages.count();
}
// Whole pages: rounded down.
constexpr Pages to_pages(Bytes bytes, Bytes page_bytes) {
    return Pages(bytes.count() / page_bytes.count());
}

// What a page is read from when it is missed.
enum class Backing : std::uint8_t {
    anonymous,  // swap
    file,
};
inline constexpr std::size_t nr_backings = 2;

// A number for each Backing.
using ByBacking = std::array<double, nr_backings>;

// A sampled page; it stands for weight pages of memory.
struct SampledPage {
    PageKey key = 0;
    std::uint32_t weight = 1;
    Backing backing = Backing::anonymous;
};

// Opaque pages that came back into memory. Between distance_from and distance_to opaque pages had been evicted since they left.
struct Refault {
    Pages distance_from{0};
    Pages distance_to{0};
    Pages pages{0};
};

// Where reads for missed pages go. Swap on compressed memory is a hundred times faster than on a disk.
enum class Store : std::uint8_t { swap_disk, swap_zram, file };
inline constexpr std::size_t nr_stores = 3;

// Reads from a store and how long they took together.
struct StoreReads {
    double reads = 0;
    Seconds time{0};
};

// What a sample source learned about opaque memory since it was asked last.
struct EpochSample {
    bool scanned = true;                  // false: only refaults were asked for, the epoch goes on
    bool first_scan = false;              // referenced lists all that is resident, used or not: the source has just begun
    std::vector<SampledPage> referenced;  // used since the last epoch, new pages included; each at most once
    std::vector<PageKey> gone;            // were known, are no longer resident
    std::vector<Refault> refaults;
    Seconds idle_before{0};         // of an epoch that ended since somebody came back: how long nobody was there
    double anonymous_refaults = 1;  // share of the refaults that were of anonymous memory, in [0, 1]
    Seconds active{0};              // processor time of opaque applications; several at once count several times
    std::array<StoreReads, nr_stores> reads{};
};

// How memory is divided at one moment. total is what the two classes can have together.
struct MemoryUsage {
    Pages total{0};
    Pages opaque{0};
    Pages transparent{0};
};

}  // namespace tmm::core
