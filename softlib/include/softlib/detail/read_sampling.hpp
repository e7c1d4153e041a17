// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// One read in many is looked at more closely: it stands for the others in the count of hits, and may be lost or validated for a
// test of the program. All the others pay for it with one decrement in the thread's own memory.
#pragma once

#include <cstdint>

namespace soft::detail {

/// Reads of this thread until one is looked at, less one.
extern constinit thread_local std::int32_t reads_until_sample;

inline bool wants_sample() noexcept {
    return --reads_until_sample < 0;
}

/// Begins the next interval. Returns how many reads the one that ends here stands for.
std::uint32_t begin_interval() noexcept;

}  // namespace soft::detail
