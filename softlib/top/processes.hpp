// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "src/counters/board.hpp"
#include "top/snapshot.hpp"

namespace soft::top {

/// Returns the address of the board in the text of a process's /proc/PID/maps.
std::optional<std::uintptr_t> find_board(std::string_view maps);

/// Returns the heaps on a board. `smaps`: the text of that file.
std::vector<HeapOfProcess> heaps_of(const detail::Board& board, std::string_view smaps);

/// Reads the boards of all processes, or of one.
Snapshot poll_processes(std::optional<pid_t> only);

}  // namespace soft::top
