// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reading: all that the machine said at one moment, read once. A tick's reading has the second that has passed. One between two
// ticks, for an alarm or a command of the owner, has none. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tmmd/core/giving/holds/stall_clamp.hpp"
#include "tmmd/core/giving/holds/swap_room.hpp"
#include "tmmd/core/moment.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/core/soft/soft_heap.hpp"

namespace tmm::core {

// The second since the last tick, and the sample source.
struct SecondRead {
    Seconds active{0};  // processor time of opaque programs
    // Refaults since the last reading; the scan, if one was wanted and the source has it ready. With either, reads and
    // anonymous_refaults since the last sample that had one. The tick fills in the rest.
    EpochSample sample;
    std::optional<std::uint64_t> opaque_faults;  // major ones, over the time of reads; none: not known, or not read
    Seconds own_cpu{0};                          // processor time of this process, when the reading began
    bool preparing = false;                      // the source works on the scan
    std::string source;                          // id of the source
    bool can_learn = true;                       // from its samples
    bool rate_changed = false;                   // the source's keys mean other pages from this reading on
};

struct Reading {
    Moment now;
    Bytes page_bytes{4096};
    std::optional<MemoryUsage> usage;  // none: the kernel cannot be read now
    std::optional<SecondRead> second;  // only with a usage
    SwapInMemory swap;
    Pages files{0};                   // pages of files in memory; 0: not known
    Pages kept{0};                    // with fewer free ones the kernel reclaims; 0: not known
    std::optional<Seconds> idle_for;  // since somebody last touched the machine; none: not known
    std::optional<bool> on_mains;     // none: not known, or nobody asked
    std::optional<double> stall;      // share of the last minute in which opaque tasks waited for memory; none: not known
    StallSigns signs;                 // of a stall that has just begun
    bool contributions = false;       // whether there are any
    std::vector<CgroupId> uncounted;  // as of EpochSample
    std::vector<SoftHeap> soft;       // heaps of soft memory that tell of themselves
    bool evicting = false;            // a part of them is being evicted, as GivingDecision::evict wanted
};

}  // namespace tmm::core
