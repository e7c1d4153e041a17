// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SwapRoom: freezes contributions before their swap takes memory that the owner needs. Swap in memory (zram, zswap) belongs to
// neither class. So evicting contributions shrinks the memory that the limits divide, and the transparent limit with it. That
// evicts more, until less is left than the owner needs. Frozen before that, contributions have all that can be given, compressed
// or not. Pure; not thread-safe.
#pragma once

#include <optional>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

// Swap in memory, compressed.
struct SwapInMemory {
    Pages taken{0};        // memory that it takes; 0: there is none, or it is not known
    Pages stored{0};       // pages that it holds
    Pages contributed{0};  // swapped pages of contributions, also those on a disk
    bool is_all = true;    // no swap on a disk, which pages that do not compress may go to
};

class SwapRoom {
public:
    // Returns whether contributions are to be frozen: opaque programs would have too little, or nothing but free memory is left
    // to give, and little of that. wanted: what opaque programs are to have; 0 if not known. A tenth of memory stays without
    // protection: free memory and contributions' are to be that tenth, or opaque programs would lose a part of theirs in each
    // second. So much is left, if contributions' swap is to blame.
    bool step(const MemoryUsage& usage, Pages wanted, const SwapInMemory& swap);

    // Returns whether evicting to the swap frees hardly anything, since its pages do not compress.
    static bool is_futile(Pages total, const SwapInMemory& swap);

    // Returns what contributions may have at most: their memory, free memory, and what evicting the excess over opaque_limit
    // frees: files in full. Where evicting is futile it frees nothing, since all opaque memory is protected then. files: pages of
    // files in memory; in doubt few.
    static Pages most(const MemoryUsage& usage, Pages opaque_limit, Pages files, const SwapInMemory& swap);

    // Returns how many more pages of contributions may be swapped until the next step; none: any number. A contribution can fill
    // memory with its own swap between two steps. If that compresses to half or less, half of what contributions may have leaves
    // room, and all that they have may leave, since the owner may want it. If it compresses less, half of that may. Where
    // evicting is futile free memory is the bound. Contributions that may have nothing are to leave memory.
    static std::optional<Pages> growth(const MemoryUsage& usage, Pages transparent_limit, const SwapInMemory& swap);
    // Returns the same while nobody knows how well they compress: enough to tell.
    static Pages first_growth(Pages total);

private:
    bool held_ = false;
};

}  // namespace tmm::core
