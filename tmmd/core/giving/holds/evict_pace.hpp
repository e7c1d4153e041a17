// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// EvictPace: the sizes of the steps in which a part of a frozen contribution is evicted. The end of a hold withdraws the request
// between two steps. The step under way goes on, and the contribution, which runs by then, reads back its pages. A signal to the
// thread would not replace small steps: Linux 6.12 looks for one when a quarter of what is left is done, and Linux 6.1 when all
// is (memory_reclaim()). But each step costs a pass over the lists and a wait for its last writes, so a fast disk gets large
// ones. Pure.
#pragma once

#include "base/quantity.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

struct EvictPace {
    // A step should end within this time, about as long as an alarm takes to begin a clamp.
    static constexpr Seconds max_length{0.25};
    // A hard disk writes it in 0.2 s. The cost of a pass outweighs a smaller step: a write of 20 MB took 1.9 s, three of 8 MB or
    // less 5.4 s (decisions/giving.md).
    static constexpr Bytes min_step{std::uint64_t{16} << 20};
    // A disk seems fast until its cache is full. If it then writes 100 MB/s, one step takes 0.7 s, and the next is smaller.
    static constexpr Bytes max_step{std::uint64_t{64} << 20};

    // Returns the bytes of the step after one of so many bytes, which took that long. The first one has min_step.
    static Bytes next(Bytes step, Seconds taken);
};

}  // namespace tmm::core
