// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What /proc/meminfo says: the size of the machine's memory, and what compressed swap takes of it.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

// Bytes in the line of /proc/meminfo with this name, as "MemTotal". Pure. Error: there is none (ENOENT), or it makes no sense.
Result<std::uint64_t> parse_meminfo_bytes(std::string_view meminfo, std::string_view name);

// Memory of the machine in pages.
Result<core::Pages> read_installed_pages(const RootDir& root);

}  // namespace tmm::os
