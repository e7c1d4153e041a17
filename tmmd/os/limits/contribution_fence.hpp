// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ContributionFence: bounds the memory of contributions by settings of cgroup v2. They get memory.high where there is swap, and
// memory.max without, where memory.high would make them crawl. That limit kills, so each contribution gets memory.oom.group, too:
// it dies as a whole or not at all. Where swap is in memory they get memory.swap.max besides. A contribution that has used it up
// has no way out of memory. If it grew, the kernel would kill, perhaps the owner's programs; memory.high makes it wait. Called
// from one thread.
#pragma once

#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/core/protection/protection.hpp"
#include "tmmd/os/limits/held_knobs.hpp"
#include "tmmd/os/limits/limit_sink.hpp"

namespace tmm::os {

class ContributionFence {
public:
    enum class Swap { none, disk, memory };

    // root must outlive it.
    explicit ContributionFence(const RootDir& root) : root_(&root) {}

    // Error: /proc/swaps cannot be read.
    [[nodiscard]] Result<Swap> swap() const;

    // Collects the settings. usage: of all memory. contributed: of each topmost transparent cgroup.
    void collect(const core::MemoryUsage& usage, const std::vector<core::ContributedPages>& contributed, const Limits& limits,
                 Swap swap, HeldKnobs& knobs) const;

private:
    const RootDir* root_;
};

}  // namespace tmm::os
