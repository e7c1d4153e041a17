// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Decides when the owner's break ends. A contribution that has not exceeded the machine's memory would not have pushed the owner
// out on any system, so the break waits for it; how long that takes depends on the load of the host. Pure.
#pragma once

#include <chrono>
#include <cstdint>

namespace tmm::desk {

struct BreakBounds {
    std::chrono::nanoseconds min{};
    std::chrono::nanoseconds max{};
    std::uint64_t exceed_bytes = 0;  // the contribution has to exceed this; 0: the break lasts for min
};

// since_begin: time since the begin of the break; peak_bytes: maximum of the contribution so far, resident and swapped out.
bool break_is_over(const BreakBounds& bounds, std::chrono::nanoseconds since_begin, std::uint64_t peak_bytes);

}  // namespace tmm::desk
