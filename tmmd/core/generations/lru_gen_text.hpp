// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Parses /sys/kernel/debug/lru_gen, in which the multi-gen LRU shows its generations: pages by the time of their last use
// (Documentation/admin-guide/mm/multigen_lru.rst). Pure; thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// The kernel keeps so many generations at most (MAX_NR_GENS).
inline constexpr std::size_t max_generations = 4;

using PagesByBacking = std::array<Pages, nr_backings>;

// The generations of one memory cgroup on one node.
struct Generations {
    std::uint64_t memcg = 0;
    std::uint64_t node = 0;
    std::string cgroup;        // its path below the mount point, "/" for the root
    std::uint64_t oldest = 0;  // number of the first generation; each younger one has the next number
    std::vector<PagesByBacking> pages;
    CgroupId id = unknown_cgroup;  // of the cgroup; the text does not have it

    // Precondition: not empty, as parse_lru_gen() ensures.
    [[nodiscard]] std::uint64_t youngest() const { return oldest + pages.size() - 1; }
    [[nodiscard]] bool empty() const;
};

// Error: EINVAL, with the number of the line.
Result<std::vector<Generations>> parse_lru_gen(std::string_view text);

}  // namespace tmm::core
