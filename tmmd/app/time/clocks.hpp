// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Clocks: reads all clocks of the machine, for tmmd maybe in a time-lapse. Called from one thread.
#pragma once

#include <chrono>
#include <optional>

#include "tmmd/app/time/time_lapse.hpp"
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
    explicit Clocks(TimeLapse lapse = TimeLapse()) : lapse_(lapse) {}

    // Returns the time that all decisions go by.
    core::Moment read() { return lapse_.at(read_machine()); }
    // Returns the machine's own time, for those outside of tmmd: systemd and the callers on the bus.
    [[nodiscard]] static core::AwakeTime awake();

    [[nodiscard]] const TimeLapse& lapse() const { return lapse_; }
    // From now on time passes as on the machine.
    void end_time_lapse() { lapse_.rebase(1, read_machine()); }

private:
    core::Moment read_machine();

    LocalMinute local_minute_;
    TimeLapse lapse_;
};

}  // namespace tmm::app
