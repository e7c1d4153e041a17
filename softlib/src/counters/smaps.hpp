// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace soft::detail {

/// Memory of a range of addresses, from /proc/PID/smaps.
struct MappedMemory {
    std::size_t resident_bytes = 0;
    /// Part of resident_bytes that the kernel may take.
    std::size_t lazy_free_bytes = 0;
    std::size_t huge_page_bytes = 0;
};

/// Sums the mappings that lie in [from, to). Skips lines that it does not understand.
MappedMemory parse_smaps(std::string_view smaps, std::uintptr_t from, std::uintptr_t to);

}  // namespace soft::detail
