// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads sizes of the machine's memory. Stateless.
#pragma once

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

// Returns MemTotal in base pages. Error: the file cannot be read or has no such line.
Result<core::Pages> read_installed_pages(const RootDir& root);

// Returns the pages of files that the kernel can evict, by /proc/vmstat. Error: as above.
Result<core::Pages> read_file_pages(const RootDir& root);

// Returns the pages that the kernel hands out only after it has reclaimed others, by /proc/zoneinfo: in each zone the high
// watermark, at which kswapd stops, and the pages kept for allocations that no other zone can serve (totalreserve_pages of
// mm/page_alloc.c). 0 if the text has none. Error: the file cannot be read.
Result<core::Pages> read_kept_pages(const RootDir& root);

}  // namespace tmm::os
