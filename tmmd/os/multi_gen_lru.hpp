// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether the kernel uses the multi-gen LRU now; an owner may change that while it runs. Thread-safe.
#pragma once

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::os {

inline constexpr const char* multi_gen_lru_path = "sys/kernel/mm/lru_gen/enabled";

// Bits of that file (Documentation/admin-guide/mm/multigen_lru.rst).
inline constexpr unsigned long multi_gen_lru_is_used = 1;
inline constexpr unsigned long multi_gen_lru_walks_page_tables = 2;

// Returns the bits. Error: ENOENT, the kernel was built without it.
Result<unsigned long> read_multi_gen_lru(const RootDir& root);

// Returns whether it is in use, as far as the file tells.
bool uses_multi_gen_lru(const RootDir& root);

}  // namespace tmm::os
