// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Swap that is not elsewhere: zram and zswap keep pages in memory, compressed.
#pragma once

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

// Memory in pages that swapped pages take, whoever they belong to: mm_stat of the zram devices that are swapped to, and Zswap of
// /proc/meminfo. Error: one of the files cannot be read or makes no sense.
Result<core::Pages> read_swap_in_memory(const RootDir& root);

}  // namespace tmm::os
