// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// For tests of Tick: an owner who loops over 3,000 pages of cgroup 7 on a machine of 10,000, beside contributions, second by
// second.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <optional>

#include "tmmd/core/tick/tick.hpp"

namespace tmm::core {

class TickTest : public testing::Test {
protected:
    // Returns a reading of the next second, with a scan if one is wanted and the source has it.
    Reading next_second() {
        now_.awake += std::chrono::seconds(1);
        now_.elapsed += std::chrono::seconds(1);
        now_.wall += std::chrono::seconds(1);
        Reading reading;
        reading.now = now_;
        reading.usage = usage_;
        reading.idle_for = idle_for_;
        reading.contributions = contributions_;
        reading.uncounted = uncounted_;
        SecondRead second;
        second.own_cpu = own_cpu_;
        second.active = active_;
        second.source = source_;
        second.opaque_faults = faults_;
        second.preparing = tick_.wanted().scan && !source_ready_;
        second.sample.scanned = tick_.wanted().scan && source_ready_;
        if (refaults_ > Pages(0))
            second.sample.refaults.push_back({Pages(3000), Pages(3000), refaults_});
        if (second.sample.scanned) {
            ++scans_;
            own_cpu_ += scan_cost_;
            for (int i = 0; i < (begun_ ? 600 : 3000) && (owner_works_ || !begun_); ++i, next_ = (next_ + 1) % 3000)
                second.sample.referenced.push_back({.key = next_, .cgroup = 7});
            begun_ = true;
        }
        own_cpu_ += poll_cost_;
        reading.second = std::move(second);
        return reading;
    }
    const Wanted& run(int seconds) {
        for (int i = 0; i < seconds; ++i)
            tick_.step(next_second());
        return tick_.wanted();
    }
    static TickParameters every_second() {
        TickParameters parameters;
        parameters.epochs.scan_always = true;
        return parameters;
    }
    void restart(const TickParameters& parameters) { tick_ = Tick(parameters, Pages(10'240)); }

    MemoryUsage usage_{.total = Pages(10'000), .opaque = Pages(4'000), .transparent = Pages(5'000)};
    std::optional<Seconds> idle_for_;
    bool contributions_ = true;
    std::vector<CgroupId> uncounted_;  // all pages are of 7
    bool owner_works_ = true;
    bool source_ready_ = true;
    bool begun_ = false;
    Seconds active_{0};
    Pages refaults_{0};
    std::optional<std::uint64_t> faults_ = 0;
    std::string source_ = "test";
    PageKey next_ = 0;
    int scans_ = 0;
    Seconds own_cpu_{0};
    Seconds scan_cost_{0};
    Seconds poll_cost_{0};
    Moment now_{.awake = AwakeTime(std::chrono::seconds(100)),
                .elapsed = ElapsedTime(std::chrono::seconds(200)),
                .wall = WallTime(std::chrono::seconds(1'800'000'000)),
                .local_minute = 12 * 60};
    Tick tick_{TickParameters(), Pages(10'240)};
};

}  // namespace tmm::core
