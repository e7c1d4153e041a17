// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SwapRoom: where swap is kept in memory (zram, zswap), what contributions are evicted to it takes room outside of both classes.
// The memory that the limits divide shrinks by it, and the transparent limit with it, so that more is evicted, until what is left
// is less than the owner needs. So contributions stand still as soon as it would be: then they have all that can be given,
// compressed or not. Pure. Not thread-safe.
#pragma once

#include "tmmd/core/pages.hpp"

namespace tmm::core {

class SwapRoom {
public:
    // Whether contributions are to stand still. total: what both classes can have now; wanted: what opaque applications are to
    // have of it, 0 if that is not known; in_memory: what swapped pages take of memory. All in pages.
    bool step(Pages total, Pages wanted, Pages in_memory);

private:
    bool held_ = false;
};

}  // namespace tmm::core
