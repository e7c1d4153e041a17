// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Converts times that the kernel counts as unsigned numbers of some unit to nanoseconds. Pure.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace tmm::os {

// Unit: std::chrono::microseconds, milliseconds, ... A count too long for nanoseconds (292 years) gives the max that fits.
template <typename Unit>
constexpr std::chrono::nanoseconds counted_time(std::uint64_t count) {
    constexpr auto max = std::chrono::floor<Unit>(std::chrono::nanoseconds::max()).count();
    return Unit(static_cast<typename Unit::rep>(std::min(count, static_cast<std::uint64_t>(max))));
}

}  // namespace tmm::os
