// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The names of things in far memory. A program has spaces (its processes), a space has pages. A page that left its space has an
// entry: one content, which after fork(2) several pages may share. The content is in a slot (local memory shared with the
// program's hand), in the store, or in both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tmm::far {

inline constexpr std::size_t page_bytes = 4096;

using SpaceId = std::uint32_t;
using PageNumber = std::uint64_t;  // address / page_bytes
using EntryId = std::uint32_t;
using SlotId = std::uint32_t;
using Version = std::uint64_t;  // of an entry's content; each content of a program has its own

inline constexpr EntryId no_entry = std::numeric_limits<EntryId>::max();
inline constexpr SlotId no_slot = std::numeric_limits<SlotId>::max();

// Of the FIFO, that a local page which lost its entry to another stays longer: it was used again and again, and its next way out
// costs an entry.
inline constexpr std::uint8_t turns_without_entry = 2;

struct PageId {
    SpaceId space = 0;
    PageNumber page = 0;
    bool operator==(const PageId&) const = default;
};

// Pages from first on, without last.
struct PageRange {
    PageNumber first = 0;
    PageNumber last = 0;
};

// What is known of 4 KiB. hash: of a page that is not all zeros.
struct Content {
    bool is_zero = false;
    std::array<std::uint64_t, 2> hash{};
};

// Where a page is. zero: nowhere, and it reads as zeros; so is a page that was never seen.
enum class Where { zero, local, leaving, write_list, far, coming, lost };

}  // namespace tmm::far
