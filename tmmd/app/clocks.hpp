// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Clocks: what the clocks show now. Called from one thread.
#pragma once

#include <chrono>
#include <optional>

#include "tmmd/core/moment.hpp"

namespace tmm::app {

// The minute of the local day. The zone is looked up once a minute, for that takes longer than all clocks together: a zone that
// is changed counts from the next minute on.
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
