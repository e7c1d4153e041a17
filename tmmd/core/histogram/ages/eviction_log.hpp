// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// EvictionLog: remembers in which order pages were evicted, by the epoch of their last use. The refault distance of a page that
// comes back tells when it left, hence when it was last used.
//
// A page that left memory was freed or evicted. The kernel's count tells how many were evicted: those used least recently.
// Without that count, pages are taken for evicted if their last use was before half of the resident pages: programs mostly free
// what they just used.
//
// Memory is bounded: beyond max_evictions entries the older half keeps every other one. Not thread-safe. PageAges owns it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "tmmd/core/histogram/ages/epoch_pages.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

class EvictionLog {
public:
    static constexpr std::size_t max_evictions = 4096;

    // Pages that came back.
    struct Returned {
        std::vector<std::uint32_t> epochs;  // each of their last uses may have been in any of these; empty: not known
        ByBacking pages{};
    };
    // An epoch that has ended.
    struct Epoch {
        std::vector<LastUse> evicted;  // sampled pages, in the order of their last uses
        std::vector<Returned> returned;
    };

    // Opaque pages were evicted, as the kernel counts them.
    void add_evicted(Pages pages) { counted_ = counted_.value_or(0) + pages.as_double(); }
    // Opaque pages came back. anonymous: share of them. Their distances count from the evictions added so far.
    void add_refaults(std::span<const Refault> refaults, double anonymous);
    // A sampled page left memory.
    void add_gone(const LastUse& last) { gone_.push_back(last); }
    // Epochs got other numbers: new_epoch_of[epoch] rises, and may be the same for several.
    void renumber(std::span<const std::uint32_t> new_epoch_of);

    // Ends an epoch and tells what was evicted and came back since the last. epoch: its number. median: half of the resident
    // pages were last used in later epochs than this.
    Epoch end_epoch(std::uint32_t epoch, std::uint32_t median);

    // Returns the number of entries.
    [[nodiscard]] std::size_t size() const { return evictions_.size(); }

private:
    // Pages that were evicted one after the other.
    struct Eviction {
        double until = 0;         // evictions so far, these included
        std::uint32_t epoch = 0;  // of their last use
        std::uint64_t batch = 0;  // number of the epoch that they left in
    };
    // Refaults of one scan or poll.
    struct Refaulted {
        Refault refault;
        double anonymous = 0;
        std::optional<double> evicted;  // evictions until then; none: until the end of the epoch
    };

    std::vector<LastUse> log_gone(std::uint32_t epoch, std::uint32_t median);
    void log(std::uint32_t epoch, double pages);
    [[nodiscard]] std::vector<std::uint32_t> last_uses(const Refaulted& refaulted) const;

    std::deque<Eviction> evictions_;
    double evicted_ = 0;  // so far

    // Of the current epoch.
    std::uint64_t batch_ = 0;
    std::vector<LastUse> gone_;
    std::optional<double> counted_;
    std::vector<Refaulted> refaulted_;
};

}  // namespace tmm::core
