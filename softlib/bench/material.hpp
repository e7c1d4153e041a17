// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// What the benchmarks share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "softlib/heap.hpp"

namespace soft::bench {

inline constexpr std::size_t objects = 1'000'000;
inline constexpr std::size_t gibibyte = std::size_t{1} << 30;

struct Small {
    std::array<std::uint64_t, 4> words;
};
template <std::size_t bytes>
struct Block {
    std::array<std::byte, bytes> content;
};

// One heap for all, as a program would have.
heap& common_heap();
// As the process's heap while tmmd runs: uses are sampled and reported.
heap& told_heap();
// The numbers of all objects, at random.
const std::vector<std::uint32_t>& order();

}  // namespace soft::bench
