// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/tasks/holding.hpp"

namespace tmm::boinc {

Holding choose_holding(const HoldingFacts& facts) {
    if (!facts.can_end || !facts.ends_by_itself || !facts.is_wanted || !facts.has_checkpoint || facts.unsaved > max_loss)
        return Holding::keep;
    if (facts.is_for_long)
        return Holding::end;
    // Without a word of swap, nobody knows that memory stays occupied. A loss is certain.
    if (!facts.swap_free_bytes)
        return Holding::keep;
    // Memory for which swap has no room would stay occupied.
    if (facts.resident_bytes > *facts.swap_free_bytes)
        return Holding::end;
    const std::chrono::duration<double> swapped(2 * static_cast<double>(facts.resident_bytes) / swap_bytes_per_s);
    return facts.unsaved + restart_cost < swapped ? Holding::end : Holding::keep;
}

}  // namespace tmm::boinc
