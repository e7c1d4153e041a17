// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace soft::detail {

/// What /proc/PID/smaps says of a range of addresses.
struct MappedMemory {
    std::size_t resident_bytes = 0;
    /// Of these, what the kernel may take.
    std::size_t lazy_free_bytes = 0;
    std::size_t huge_page_bytes = 0;
};

/// The sum over the mappings that lie in [from, to). Lines that are not understood are passed over.
MappedMemory parse_smaps(std::string_view smaps, std::uintptr_t from, std::uintptr_t to);

}  // namespace soft::detail
