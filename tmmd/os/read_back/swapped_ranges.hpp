// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SwappedRanges: finds the swapped pages of one process in its /proc/PID/pagemap, a piece at a time. Called from one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "base/quantity.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/core/giving/read_back_order.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

struct AddressRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    bool operator==(const AddressRange&) const = default;
};

struct SwappedPages {
    std::vector<AddressRange> ranges;  // in order; each in one mapping; a short gap of other pages does not end one
    core::Pages pages{0};              // swapped ones in them
};

class SwappedRanges {
public:
    // The entries of one read(2): 32 MiB of addresses, if a page has 4 KiB.
    static constexpr std::size_t entries_per_read = 8192;
    // The reads of one call, so that it ends soon: 2 GiB of addresses.
    static constexpr std::size_t reads_per_call = 64;
    // The addresses that are looked at in one mapping. Programs reserve terabytes that they never touch.
    static constexpr std::uint64_t max_pages_looked_at = std::uint64_t{1} << 22;
    // A range goes on over as many other pages: one call for a whole range lets the disk merge its reads.
    static constexpr std::uint64_t max_gap = 16;
    // Of one step.
    static constexpr std::size_t max_ranges = 64;

    // mappings: in the order in which they are read back. page_bytes: above 0.
    SwappedRanges(UniqueFd pagemap, std::span<const core::MappingUse> mappings, Bytes page_bytes);

    // Returns up to max pages. None does not mean the end.
    SwappedPages next(core::Pages max);
    // Returns whether there are no more.
    [[nodiscard]] bool at_end() const { return mappings_.empty(); }

private:
    struct Rest {
        std::uint64_t begin = 0;  // of the mapping, in pages
        std::uint64_t next = 0;   // pages, by number
        std::uint64_t end = 0;
        std::uint64_t swapped = 0;  // pages not found yet
    };

    bool load(Rest& rest);
    void add(const Rest& rest, SwappedPages& found) const;

    UniqueFd pagemap_;
    Bytes page_bytes_;
    std::deque<Rest> mappings_;
    std::vector<std::uint64_t> entries_;  // of the pages from loaded_ on
    std::uint64_t loaded_ = 0;
};

}  // namespace tmm::os
