// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "softlib/budget.hpp"

namespace soft::detail {

/// Parses /proc/meminfo, /proc/vmstat and /proc/pressure/memory. Returns nothing if the first lacks the total or the free memory;
/// missing numbers of the others are 0.
std::optional<memory_reading> parse_memory(std::string_view meminfo, std::string_view vmstat, std::string_view pressure);

/// Parses /proc/zoneinfo. Returns the pages that the kernel hands out only after it has evicted others: in each zone the high
/// watermark, at which kswapd stops, and the pages kept for allocations that no other zone can serve (totalreserve_pages of
/// mm/page_alloc.c). 0 if the text has none.
std::size_t parse_kept_pages(std::string_view zoneinfo);

}  // namespace soft::detail
