// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "softlib/budget.hpp"

namespace soft::detail {

/// From the texts of /proc/meminfo, /proc/vmstat and /proc/pressure/memory. Nothing if the first does not say how much memory
/// there is and is free; what the others lack is 0.
std::optional<memory_reading> parse_memory(std::string_view meminfo, std::string_view vmstat, std::string_view pressure);

/// From the text of /proc/zoneinfo, the pages that the kernel does not hand out before it has evicted others: of each zone the
/// high watermark, at which kswapd stops, and what is kept for allocations that no other zone will do for (totalreserve_pages of
/// mm/page_alloc.c). 0 if it does not say.
std::size_t parse_kept_pages(std::string_view zoneinfo);

}  // namespace soft::detail
