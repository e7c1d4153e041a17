// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// FrameScanner: the two questions that /dev/tmm answers (docs/kernel-interface.md). An interface, so that what is made of the
// answers is tested without a kernel. Called from one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

// How many opaque pages came back, by how many opaque pages had been evicted since: counts[i] lie between i and i + 1 units.
struct RefaultCounts {
    core::Pages unit{1};
    std::span<const std::uint64_t> counts;  // good until the scanner is asked again
};

class FrameScanner {
public:
    virtual ~FrameScanner() = default;

    // One word for each sampled page on an LRU list (TMM_FRAME_* of linux/tmm.h); one page in 2^shift, chosen by seed.
    // Clears the reference bits that it reports.
    virtual Result<std::vector<std::uint64_t>> scan(std::uint32_t shift, std::uint64_t seed) = 0;

    // The counts of the first nr_units units since a call that asked for them; the others go on counting. Takes time in
    // proportion to nr_units.
    virtual Result<RefaultCounts> poll_refaults(std::size_t nr_units) = 0;
};

}  // namespace tmm::os
