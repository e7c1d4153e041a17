// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Time of a thread that counts as the cost of a miss. Misses are nested, and wait for each other; each moment counts once.
#pragma once

#include <chrono>

namespace soft::detail {

/// How much of this thread's time counts already: as the cost of a miss, or as waiting for a thread whose cost it is.
std::chrono::nanoseconds& counted_time() noexcept;

/// Counts what is left of a time that ends now, and returns that. `before`: counted_time() when it began.
std::chrono::nanoseconds count_rest(std::chrono::nanoseconds took, std::chrono::nanoseconds before) noexcept;

}  // namespace soft::detail
