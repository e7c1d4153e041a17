// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

#include "softlib/pool_base.hpp"

namespace soft {

/// What there is to say to a program's developer about a pool that counted this, in sentences; empty if all is well. Objects that
/// are costly to rebuild and seldom read do not belong into soft memory (Midas, section 4.4): such are the first to go, and the
/// reader waits each time. What took less than a second in all is not worth a word.
///
/// With SOFTLIB_ADVICE=1 in the environment each pool says it on stderr when it is destroyed. Thread-safe; std::bad_alloc.
[[nodiscard]] std::vector<std::string> advice(const pool_statistics& statistics);

}  // namespace soft
