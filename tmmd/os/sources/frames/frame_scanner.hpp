// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// FrameScanner: scans frames and polls refaults, the two requests that /dev/tmm answers (docs/kernel-interface.md). It is an
// interface, so that tests of the evaluation need no kernel. Called from one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

// Counts returned opaque pages by refault distance: counts[i] is for distances between i and i + 1 units.
struct RefaultCounts {
    core::Pages unit{1};
    std::span<const std::uint64_t> counts;  // valid until the next call of the scanner
    std::uint64_t evictions = 0;            // of opaque pages so far; only differences mean something
};

class FrameScanner {
public:
    virtual ~FrameScanner() = default;

    // Returns one word for each sampled page on an LRU list (TMM_FRAME_* of linux/tmm.h). It samples one page in 2^shift, chosen
    // by seed, and clears the reference bits that it reports.
    virtual Result<std::vector<std::uint64_t>> scan(std::uint32_t shift, std::uint64_t seed) = 0;

    // Returns the counts of the first nr_units units since a call that asked for them; the others go on counting. Takes time in
    // proportion to nr_units.
    virtual Result<RefaultCounts> poll_refaults(std::size_t nr_units) = 0;

    // As of SampleSource::follow(). A kernel that knows the classes need not be told.
    virtual void follow(const std::vector<std::string>& transparent_cgroups) { static_cast<void>(transparent_cgroups); }

    // Returns whether scans leave out files that no process maps.
    [[nodiscard]] virtual bool leaves_out_unmapped_files() const { return false; }

    // As of SampleSource::id() and description(), the latter in two parts: the scanner's name, and the reason for its choice.
    [[nodiscard]] virtual std::string_view id() const = 0;
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual std::string_view reason() const = 0;
};

}  // namespace tmm::os
