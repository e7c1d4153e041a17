// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The size of the machine's memory, from /proc/meminfo.
#pragma once

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

// MemTotal in base pages. Error: the file cannot be read or has no such line.
Result<core::Pages> read_installed_pages(const RootDir& root);

}  // namespace tmm::os
