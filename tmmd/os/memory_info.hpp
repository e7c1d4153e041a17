// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Size of the machine's memory, from /proc/meminfo.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

// Bytes in the MemTotal line of /proc/meminfo. Pure.
Result<std::uint64_t> parse_mem_total_bytes(std::string_view meminfo);

// Memory of the machine in pages.
Result<core::Pages> read_installed_pages(const RootDir& root);

}  // namespace tmm::os
