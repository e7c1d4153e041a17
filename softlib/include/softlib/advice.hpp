// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

#include "softlib/pool_statistics.hpp"

namespace soft {

/// Advice for a program's developer about a pool with these statistics: sentences, or none if all is well.
///
/// Objects that are costly to rebuild and seldom read do not belong in soft memory (Midas, section 4.4): the kernel takes them
/// first, and each reader waits. Advice about costs begins at one second of rebuilding in all.
///
/// With SOFTLIB_ADVICE=1 in the environment, each pool prints its advice on stderr when it is destroyed.
///
/// Thread-safe. Allocates ordinary memory; throws std::bad_alloc.
[[nodiscard]] std::vector<std::string> advice(const pool_statistics& statistics);

}  // namespace soft
