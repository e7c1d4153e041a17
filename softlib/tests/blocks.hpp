// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstdint>

namespace soft {

/// An object of 1 KiB that differs from every other.
using Block = std::array<std::uint64_t, 128>;

inline Block block_of(std::uint64_t n) {
    Block block;
    block.fill(n);
    return block;
}

}  // namespace soft
