// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Two ways to hold a task: to keep it in memory, from where the kernel evicts it to swap, or to let it end and begin again at its
// checkpoint. Keeping costs the disk; ending costs the work since the checkpoint. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace tmm::boinc {

struct HoldingFacts {
    // It can end: it executes, for a suspended task ends by a kill after a minute, and a frozen one not at all.
    bool can_end = false;
    // The user's own preferences remove suspended tasks from memory: BOINC itself would end this one at each suspension.
    bool ends_by_itself = false;
    bool has_checkpoint = false;
    std::chrono::duration<double> unsaved{0};      // processor's time since the checkpoint
    std::uint64_t resident_bytes = 0;              // to be freed
    std::optional<std::uint64_t> swap_free_bytes;  // for it, beside others; none: not known
    bool is_wanted = false;                        // others need that memory
    bool is_for_long = false;                      // nobody knows an end: swap is not to be filled for it
};

// Work that may be lost rather than kept in memory.
constexpr std::chrono::seconds max_loss{30};
// To begin again, a task reads its data. A guess, on the low side of tasks that fill memory.
constexpr std::chrono::seconds restart_cost{5};
// Of swap on a disk, each way: slow enough for all but the oldest.
constexpr double swap_bytes_per_s = 100e6;

enum class Holding { keep, end };

Holding choose_holding(const HoldingFacts& facts);

}  // namespace tmm::boinc
