// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SwapRoom: freezes contributions before their swap takes memory that the owner needs. Swap in memory (zram, zswap) belongs to
// neither class. So evicting contributions shrinks the memory that the limits divide, and the transparent limit with it. That
// evicts more, until less is left than the owner needs. Frozen before that, contributions have all that can be given, compressed
// or not. Pure; not thread-safe.
#pragma once

#include "tmmd/core/pages.hpp"

namespace tmm::core {

class SwapRoom {
public:
    // Returns whether contributions are to be frozen. All arguments are in pages.
    // total: the memory that both classes can have now.
    // wanted: the part of it that opaque programs are to have; 0 if not known.
    // in_memory: the memory that holds swapped pages.
    bool step(Pages total, Pages wanted, Pages in_memory);

private:
    bool held_ = false;
};

}  // namespace tmm::core
