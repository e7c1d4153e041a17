// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// One contribution as the daemon last saw it. A plain value.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/quantity.hpp"

namespace tmm::app {

enum class WorkState : std::uint8_t {
    running,
    paused,  // it alone, or all are held
    stopping,
};

// One contribution, as it was when the daemon last looked.
struct ContributionInfo {
    std::uint64_t id = 0;  // never given to another one until the machine starts anew
    std::string name;      // as it was registered; else of the cgroup: printable ASCII, at most 64 characters, not empty
    uid_t owner = 0;
    Bytes memory_bytes{0};           // 0 without a memory controller
    std::optional<unsigned> weight;  // cpu.weight, 1 to 10,000; none without a cpu controller
    WorkState state = WorkState::running;
    bool paused = false;  // it alone: going on when all may run again would not start it
};

}  // namespace tmm::app
