// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "break_end.hpp"

namespace tmm::desk {

bool break_is_over(const BreakBounds& bounds, std::chrono::nanoseconds since_begin, std::uint64_t peak_bytes) {
    if (since_begin < bounds.min)
        return false;
    const bool has_exceeded = bounds.exceed_bytes == 0 || peak_bytes > bounds.exceed_bytes;
    return has_exceeded || since_begin >= bounds.max;
}

}  // namespace tmm::desk
