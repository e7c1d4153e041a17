// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ContributionInfo: one contribution as of the last discovery. A plain value.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/quantity.hpp"

namespace tmm::app {

enum class WorkState : std::uint8_t {
    running,
    paused,  // it alone, or with all others by a hold
    stopping,
};

struct ContributionInfo {
    std::uint64_t id = 0;  // the kernel uses it for no other cgroup until the machine reboots
    std::string name;      // as registered, else from the cgroup: printable ASCII, 1 to 64 characters
    uid_t owner = 0;
    Bytes memory_bytes{0};           // 0 without a memory controller
    Bytes far_bytes{0};              // beside memory_bytes
    std::optional<unsigned> weight;  // cpu.weight, 1 to 10,000; none without a cpu controller
    WorkState state = WorkState::running;
    bool paused = false;  // it alone: the end of a hold does not thaw it
};

}  // namespace tmm::app
