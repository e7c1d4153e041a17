// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ghosts: remembers by their hashes which items a shard lost lately, about a quarter as many as it has, in a byte an item. An
// item that is put again soon after it was evicted is worth keeping; S3-FIFO calls such entries ghosts (Yang et al., "FIFO queues
// are all you need for cache eviction", SOSP 2023). Two hashes may share a cell; then the later counts. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "caches/store/index_table.hpp"

namespace tmm::caches {

class Ghosts {
public:
    /// Makes room for what a shard with so many items needs, and forgets all if it had far less or more. Throws std::bad_alloc.
    void fit(std::size_t items) {
        const std::size_t wanted = items / 4;
        if (wanted > cells_.size() || wanted < cells_.size() / 3) {
            cells_.assign(wanted + wanted / 4, 0);
            cells_.shrink_to_fit();
        }
    }
    void add(std::uint32_t hash) noexcept {
        if (!cells_.empty()) {
            ++added_;
            cells_[cell_of(hash)] = fingerprint(hash) | step();
        }
    }
    /// Whether it was added lately. It is forgotten.
    bool take(std::uint32_t hash) noexcept {
        if (cells_.empty()) {
            return false;
        }
        std::uint32_t& cell = cells_[cell_of(hash)];
        const bool is_known =
            cell != 0 && ((cell ^ fingerprint(hash)) >> 16U) == 0 && ((step() - cell) & 0xffffU) <= steps_of_cells;
        cell = is_known ? 0 : cell;
        return is_known;
    }
    [[nodiscard]] std::size_t bytes() const { return cells_.capacity() * sizeof(std::uint32_t); }

private:
    /// It remembers as many as it has cells. Time is counted in added ones, so many steps for each round of the cells.
    static constexpr std::uint32_t steps_of_cells = 64;

    [[nodiscard]] std::size_t cell_of(std::uint32_t hash) const {
        return (std::uint64_t{hash} * cells_.size()) >> index_hash_bits;
    }
    /// The lower bits: the cell has the upper ones.
    static std::uint32_t fingerprint(std::uint32_t hash) { return hash << 16U; }
    [[nodiscard]] std::uint32_t step() const {
        return static_cast<std::uint32_t>(added_ / (cells_.size() / steps_of_cells + 1)) & 0xffffU;
    }

    /// A hash's lower half, and the step in which it was added; 0: nothing, as good as always.
    std::vector<std::uint32_t> cells_;
    std::uint64_t added_ = 0;
};

}  // namespace tmm::caches
