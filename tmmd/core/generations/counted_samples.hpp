// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// CountedSamples: makes samples of pages out of counts: the pace of reading them, and the pages that they stand for. What the
// sources of counts share, in tmmd and in a simulation. Pure; not thread-safe.
#pragma once

#include <cstdint>

#include "tmmd/core/generations/ageing_pace.hpp"
#include "tmmd/core/generations/generation_flow.hpp"
#include "tmmd/core/generations/pseudo_pages.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// Returns how many pages a pseudo page stands for. installed: memory of the machine.
std::uint32_t pages_per_pseudo_page(Pages installed);

class CountedSamples {
public:
    CountedSamples(Pages installed, const AgeingPace& pace) : pages_(pages_per_pseudo_page(installed)), pace_(pace) {}

    // Returns whether an epoch of that length may end.
    [[nodiscard]] bool due(Seconds length) const { return pace_.due(length); }
    [[nodiscard]] Seconds planned() const { return pace_.planned(); }

    // Ends an epoch. flows: used up. cost: processor time of reading and clearing. evicted: opaque pages, in the epoch.
    EpochSample end_epoch(FlowByCgroup&& flows, Seconds length, Seconds cost, Pages evicted);

private:
    PseudoPages pages_;
    AgeingPace pace_;
};

}  // namespace tmm::core
