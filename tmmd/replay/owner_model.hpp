// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OwnerModel: follows the owner's references on a machine that enforces limits at once and exactly. It gives their stack
// positions, and whether they miss at the limit and with all of memory. It follows all references or a spatial sample, each page
// of which stands for 2^shift. Pure; not thread-safe.
#pragma once

#include "tmmd/replay/lru/lru_memory.hpp"
#include "tmmd/replay/lru/lru_stack.hpp"

namespace tmm::replay {

class OwnerModel {
public:
    // memory: pages of the machine. shift: of the sample, 0 for all references.
    OwnerModel(core::Pages memory, std::uint32_t shift) : shift_(shift), at_limit_(memory), all_memory_(memory) {}

    struct Use {
        bool first = false;           // not known before
        bool first_in_epoch = false;  // since end_epoch()
        bool evicted = false;         // known, but not resident at the limit
        core::Pages position{0};      // pages above it, if known
    };
    // Uses a page of this weight, in pages before sampling.
    Use use(core::PageKey page, std::uint32_t weight);

    // Forgets a page. Returns whether it was known.
    bool forget(core::PageKey page);

    [[nodiscard]] bool knows(core::PageKey page) const { return stack_.contains(page); }
    // Returns the pages that the known ones stand for.
    [[nodiscard]] core::Pages pages() const { return scaled(stack_.pages()); }

    // Ends an epoch and applies the limit for the next one.
    void end_epoch(core::Pages opaque_limit);

    // Returns the pages resident at the limit.
    [[nodiscard]] core::Pages resident() const { return at_limit_.resident(); }
    // Return the references to known pages that missed; one to a page of weight 512 counts 512.
    [[nodiscard]] std::uint64_t misses_at_limit() const { return misses_at_limit_; }
    [[nodiscard]] std::uint64_t misses_all_memory() const { return misses_all_memory_; }

private:
    [[nodiscard]] core::Pages scaled(core::Pages pages) const { return pages * (std::uint64_t{1} << shift_); }
    [[nodiscard]] core::LruStack::Place scaled(core::LruStack::Place place) const;

    std::uint32_t shift_;
    core::LruStack stack_;
    LruMemory at_limit_;
    LruMemory all_memory_;
    std::uint64_t misses_at_limit_ = 0;
    std::uint64_t misses_all_memory_ = 0;
};

}  // namespace tmm::replay
