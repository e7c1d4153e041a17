// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The values that flow through core/, which counts memory in base pages throughout. Bytes appear only at the edges of the
// program. Only to_bytes() and to_pages() convert between the two. Plain values; pure.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/quantity.hpp"

namespace tmm::core {

using Pages = Quantity<struct PagesTag>;
using PageKey = std::uint64_t;  // identity of a page, opaque to core/
using Seconds = std::chrono::duration<double>;

// The cgroup that a page is charged to, by the inode number of its directory, which the kernel never uses again.
using CgroupId = std::uint64_t;
inline constexpr CgroupId unknown_cgroup = 0;

// Returns the bytes of so many pages. page_bytes: the size of a base page, above 0.
constexpr Bytes to_bytes(Pages pages, Bytes page_bytes) {
    return page_bytes * pages.count();
}
// Returns the whole pages in so many bytes, rounded down. page_bytes: the size of a base page, above 0.
constexpr Pages to_pages(Bytes bytes, Bytes page_bytes) {
    return Pages(bytes.count() / page_bytes.count());
}

// Returns that share of so many pages, rounded; at most 2^62, which is more than any machine has. share: not negative.
inline Pages part_of(Pages pages, double share) {
    constexpr double most = 4611686018427387904.0;
    return Pages(std::llround(std::min(share * pages.as_double(), most)));
}

// The store that a missed page is read from.
enum class Backing : std::uint8_t {
    anonymous,  // swap
    file,
};
inline constexpr std::size_t nr_backings = 2;

// One number per Backing.
using ByBacking = std::array<double, nr_backings>;

// A sampled page. It stands for weight pages of memory, fewer than 2^28; all together for fewer than 2^32 (16 TiB).
struct SampledPage {
    PageKey key = 0;
    std::uint32_t weight = 1;
    Backing backing = Backing::anonymous;
    CgroupId cgroup = unknown_cgroup;
};

// The memory that the programs of a cgroup are to keep, without those of cgroups below.
struct CgroupKeeps {
    CgroupId cgroup = unknown_cgroup;
    Pages pages{0};
    Seconds age{0};  // attended time since the last use of the oldest of them

    bool operator==(const CgroupKeeps&) const = default;
};

// Opaque pages that returned to memory. The refault distance of each lies between distance_from and distance_to pages.
struct Refault {
    Pages distance_from{0};
    Pages distance_to{0};
    Pages pages{0};
};

// The device that a missed page is read from. Swap in compressed memory is a hundred times faster than on a disk.
enum class Store : std::uint8_t { swap_disk, swap_zram, file };
inline constexpr std::size_t nr_stores = 3;

// Reads from a store, and their total time.
struct StoreReads {
    double reads = 0;
    Seconds time{0};
};

// The observations of a sample source since it was last asked, about opaque memory.
struct EpochSample {
    bool scanned = true;                  // false: a poll of refaults alone; the epoch goes on
    std::vector<SampledPage> referenced;  // used since the last epoch, new pages included; each at most once
    std::vector<PageKey> gone;            // pages listed before that are no longer resident
    std::vector<Refault> refaults;
    Seconds idle_before{0};         // if activity ended the epoch: how long it was idle before
    std::optional<Pages> evicted;   // opaque pages evicted since the last step, if the source knows
    Seconds attended{0};            // of the time since the last step: somebody was at the machine
    std::optional<Seconds> left;    // the last input was so long ago, and it has just become certain that nobody is there
    double anonymous_refaults = 1;  // share of the refaults that were of anonymous memory, in [0, 1]
    Seconds active{0};              // processor time of opaque programs; several at once count several times
    std::array<StoreReads, nr_stores> reads{};
    std::vector<CgroupId> uncounted{};  // their user does not count their memory as needed; rising
};

// Share of memory that no protection of cgroups may cover. With all memory protected the kernel would have to kill processes.
inline constexpr double min_reclaimable = 0.10;

// The division of memory at one moment. total: the memory that the two classes can have together.
struct MemoryUsage {
    Pages total{0};
    Pages opaque{0};
    Pages transparent{0};
    Pages soft{0};  // of opaque: its programs say that they can make it again

    bool operator==(const MemoryUsage&) const = default;
};

// The memory of neither class. Counters that were read one after the other may add up to more than all; then nothing is free.
constexpr Pages free_pages(const MemoryUsage& usage) {
    return saturating_sub(usage.total, usage.opaque + usage.transparent);
}

// Returns the memory that contributions leave free, so that their growth does not make the kernel evict. Its watermarks take 1 to
// 2 % of a small machine, and as much again for a while when memory is in fragments. If swap is in memory and does not compress,
// the kernel evicts to no end: each page takes one.
constexpr Pages kept_free(Pages total, bool swap_in_memory) {
    return total / (swap_in_memory ? 25 : 50);
}

}  // namespace tmm::core
