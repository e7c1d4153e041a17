// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "softlib/detail/language.hpp"

namespace soft::detail {

/// Returns a number all of whose bits depend on all bits of `bits`: the finalizer of splitmix64.
[[nodiscard]] inline std::uint64_t mixed(std::uint64_t bits) noexcept {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
}

}  // namespace soft::detail
