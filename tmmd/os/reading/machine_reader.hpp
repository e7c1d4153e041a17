// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MachineReader: reads everything that a step of core::Tick takes. It decides nothing. Only the usage of memory and the processor
// time of opaque programs are needed to protect the owner; without any of the others it goes on and tells the problem. Called
// from one thread.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/presence_rule.hpp"
#include "tmmd/core/tick/reading.hpp"
#include "tmmd/core/tick/wanted.hpp"
#include "tmmd/os/limits/limit_sink.hpp"
#include "tmmd/os/reading/counters/backing_latency.hpp"
#include "tmmd/os/reading/counters/miss_counter.hpp"
#include "tmmd/os/reading/counters/opaque_activity.hpp"
#include "tmmd/os/reading/counters/pressure.hpp"
#include "tmmd/os/reading/counters/stall_alarm.hpp"
#include "tmmd/os/reading/counters/swap_memory.hpp"
#include "tmmd/os/reading/presence/owner_presence.hpp"
#include "tmmd/os/sources/sample_source.hpp"

namespace tmm::os {

// The part of a reading that the caller knows.
struct Surroundings {
    core::Moment now;
    std::vector<std::string> transparent_cgroups;  // the topmost, below the root directory, sorted
    std::vector<core::CgroupId> uncounted{};       // as of core::EpochSample
    bool contributions = false;                    // as of core::Reading
    bool evicting = false;
    bool alarm = false;  // of the kernel, since the last reading
    core::Asks asks;     // of the last step
};

class MachineReader {
public:
    // root must outlive it. own_cpu_time: returns the processor time that this process has used so far.
    MachineReader(const RootDir& root, std::function<core::Seconds()> own_cpu_time);

    // Reads the second that has passed. It takes the scan that the last step wanted once the source has it ready; also one that
    // nobody wanted if the source has failed, so that another takes its place. Error: of the source, the usage, or processor
    // time.
    Result<core::Reading> read_second(const Surroundings& surroundings, bool scan, SampleSource& source, LimitSink& sink);
    // Reads between two seconds. sink: none if the kernel cannot be read.
    core::Reading read(const Surroundings& surroundings, LimitSink* sink);

    // Call them if the source was opened again, or has another sampling rate.
    void source_opened();
    void rate_changed() { rate_changed_ = true; }

    void see_sessions(const core::DesktopSessions& sessions, core::ElapsedTime now) { presence_.see_sessions(sessions, now); }

    [[nodiscard]] StallAlarm& alarm() { return alarm_; }
    [[nodiscard]] const StallAlarm& alarm() const { return alarm_; }

    // What could not be read, for people; empty: it could.
    enum class Part : std::uint8_t { faults, refaults, latency };
    static constexpr std::size_t nr_parts = 3;
    [[nodiscard]] const std::string& problem(Part part) const { return problems_[static_cast<std::size_t>(part)]; }

private:
    void read_swap(core::Reading& reading, const std::vector<std::string>& transparent_cgroups);
    [[nodiscard]] Result<core::EpochSample> read_source(SampleSource& source, bool scan, core::AwakeTime now, bool& preparing);
    void add_counts(core::SecondRead& second, const std::vector<std::string>& transparent_cgroups);
    template <typename T>
    bool take(Part part, const Result<T>& result);

    const RootDir& root_;
    std::function<core::Seconds()> own_cpu_time_;
    OpaqueCpu cpu_;
    MissCounter faults_;
    OpaqueRefaults refaults_;
    BackingLatency latency_;
    OpaquePressure pressure_;
    StallAlarm alarm_;
    SwapMemory swap_;
    OwnerPresence presence_;
    std::optional<bool> on_mains_;
    std::optional<core::ElapsedTime> mains_read_;
    core::Pages kept_{0};
    std::optional<core::AwakeTime> kept_read_;
    std::optional<core::AwakeTime> last_scan_;  // of this source
    bool preparing_ = false;                    // the next one
    bool rate_changed_ = false;                 // since the last reading
    std::array<std::string, nr_parts> problems_;
};

}  // namespace tmm::os
