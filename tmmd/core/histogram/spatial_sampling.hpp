// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Spatial sampling by a hash of the key (SHARDS, FAST'15). One page in 2^shift is sampled, and a page is sampled always or never.
// The pages of a larger shift are among those of a smaller one. The hash is fixed: two runs take the same pages. Pure;
// thread-safe.
#pragma once

#include <cstdint>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

// A bijection that spreads neighbouring keys over all 64 bits (the finalizer of SplitMix64; Steele et al., OOPSLA'14).
constexpr std::uint64_t mixed(PageKey key) {
    std::uint64_t z = key + 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

// Returns whether a page is in the sample. shift: in [0, 63].
constexpr bool is_sampled(PageKey key, std::uint32_t shift) {
    return (mixed(key) & ((std::uint64_t{1} << shift) - 1)) == 0;
}

}  // namespace tmm::core
