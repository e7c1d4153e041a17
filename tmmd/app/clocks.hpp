// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Clocks: reads all clocks of the machine. Called from one thread.
#pragma once

#include <chrono>
#include <optional>

#include "tmmd/core/moment.hpp"

namespace tmm::app {

// LocalMinute: gives the minute of the local day. It reads the time zone once a minute, because that takes longer than reading
// all clocks. A new zone therefore counts from the next minute on.
class LocalMinute {
public:
    unsigned at(core::WallTime wall);

private:
    std::optional<std::chrono::sys_time<std::chrono::minutes>> known_for_;
    unsigned minute_ = 0;
};

class Clocks {
public:
    core::Moment read();
    [[nodiscard]] static core::AwakeTime awake();

private:
    LocalMinute local_minute_;
};

}  // namespace tmm::app
