// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Samples: what a simulated kernel tells tmmd of the use of memory. One kind for each source of tmmd (docs/policy.md, "Sources"),
// with that source's own core: the kernel alone is simulated. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lru_memory.hpp"
#include "system.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::days {

enum class SourceKind : std::uint8_t {
    exact,       // reference bits and refault distances of each unit, as with the patches
    idle,        // reference bits that the multi-gen LRU takes, too
    mglru,       // the sizes of four generations of each cgroup
    footprints,  // pages used since all bits were cleared, of each cgroup
};

class Samples {
public:
    virtual ~Samples() = default;

    // To be told of all touches, and of what was freed or evicted.
    virtual void touched(std::uint32_t unit) = 0;
    virtual void gone(std::uint32_t unit) = 0;
    // To be told each second of the units that reclaim took, and of those that are left.
    virtual void reclaimed(std::size_t /*taken*/, std::size_t /*left*/) {}
    // Whether an epoch of that length may end.
    [[nodiscard]] virtual bool due(core::Seconds /*length*/) const { return true; }
    // Whether refaults have a known distance.
    [[nodiscard]] virtual bool knows_distances() const { return false; }
    // Ends an epoch: fills in the pages that were used, and those that are gone. length: since the last one. evicted: in it.
    virtual void sample(const LruMemory& memory, core::Seconds length, core::Pages evicted, core::EpochSample& to) = 0;
    // Processor time of the last sample.
    [[nodiscard]] virtual core::Seconds cost() const = 0;
};

std::unique_ptr<Samples> make_samples(SourceKind kind, const Machine& machine);

}  // namespace tmm::days
