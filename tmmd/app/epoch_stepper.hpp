// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// EpochStepper: polls at each tick whether the epoch is over. It turns an epoch that is over, or refaults in between, into a
// decision of the policy. It owns the policy and its pace. It reads no clock; the daemon calls it. Not thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/app/adapters.hpp"
#include "tmmd/app/epoch_observer.hpp"
#include "tmmd/app/reporting/timeline.hpp"
#include "tmmd/config/config.hpp"
#include "tmmd/core/history/return_watch.hpp"
#include "tmmd/core/policy/epoch_pace.hpp"
#include "tmmd/core/policy/policy.hpp"

namespace tmm::app {

// The findings of one tick.
struct EpochPoll {
    core::EpochSample sample;  // without a scan: refaults since the last tick, and how long the machine was idle
    bool epoch_over = false;
    bool outgrown = false;                   // opaque programs take much more memory than the last decision knew of
    core::Seconds own_cpu{0};                // processor time that this process had used when the epoch was to end
    std::optional<core::MemoryUsage> usage;  // within an epoch

    [[nodiscard]] bool needs_decision() const { return epoch_over || outgrown || !sample.refaults.empty(); }
};

// One decision and the inputs that led to it.
struct EpochStep {
    TimelineRow row;
    core::EpochSample sample;     // scanned if the epoch is over
    bool source_changed = false;  // another source has other keys; also set in the first epoch
    bool rate_changed = false;    // the source's keys mean other pages from now on
    // Major faults of opaque tasks since the last step; none unless they are known and belong to a return.
    std::optional<std::uint64_t> return_faults;
    bool return_begins = false;
};

class EpochStepper {
public:
    // root and log must outlive it. installed: memory of the machine. own_cpu_time: as in AdapterFactory.
    EpochStepper(const config::Config& config, const RootDir& root, const Log& log, core::Pages installed,
                 std::function<core::Seconds()> own_cpu_time)
        : config_(config), policy_(config.policy, installed), observer_(root, log), own_cpu_time_(std::move(own_cpu_time)) {}

    // Takes effect at the next step; what was learned is kept.
    void set_config(const config::Config& config);

    // Reads the counters and decides whether the epoch is over. transparent_cgroups: the topmost, below the root directory.
    // attended: somebody was at the machine since the last poll; none: nothing tells of people, so a machine in use counts as
    // attended, and one on which programs take memory. Error: a counter, the source or the usage cannot be read.
    Result<EpochPoll> poll(const Adapters& adapters, const std::vector<std::string>& transparent_cgroups,
                           std::optional<bool> attended, core::AwakeTime now);

    // Decides. Call it after a poll that needs a decision. It scans if the epoch is over. Error: as of poll(), or the usage
    // cannot be read.
    Result<EpochStep> step(const Adapters& adapters, const std::vector<std::string>& transparent_cgroups, EpochPoll poll,
                           core::AwakeTime now);

    // Call it after the source was opened again: its keys mean other pages, and the next poll begins an epoch.
    void restart();

    [[nodiscard]] const core::Policy& policy() const { return policy_; }
    [[nodiscard]] std::string save_state() const { return policy_.save_state(); }
    // Error: as of Policy::restore_state.
    Result<void> restore_state(std::string_view text) { return policy_.restore_state(text); }

private:
    Result<core::EpochSample> scan(os::SampleSource& source, const core::EpochSample& polled);
    void add_evicted(const core::EpochSample& sample);
    [[nodiscard]] bool outgrown(const core::MemoryUsage& usage) const;
    bool took_memory(core::Pages opaque, core::AwakeTime now);
    void note_use(const core::EpochSample& sample, bool in_use, core::Seconds length);
    [[nodiscard]] bool adapt_pace(os::SampleSource& source, const TimelineRow& row, core::Seconds cpu_before);

    config::Config config_;
    core::Policy policy_;
    core::EpochPace pace_{core::PaceParameters()};
    EpochObserver observer_;
    std::function<core::Seconds()> own_cpu_time_;
    std::string source_id_;  // of the last scan; empty before the first
    std::optional<core::AwakeTime> first_epoch_;
    std::optional<core::AwakeTime> epoch_start_;
    // The epoch is to end as soon as the source has prepared its sample.
    struct Ending {
        core::Seconds own_cpu;         // of this process, before that
        core::Seconds idle_before{0};  // as of EpochSample
    };
    std::optional<Ending> ending_;
    std::optional<core::AwakeTime> last_poll_;
    std::optional<core::AwakeTime> last_step_;
    std::optional<core::AwakeTime> left_at_;  // nobody is there since then, as the next decision is to know
    std::optional<bool> presence_;            // as poll() was told last
    bool in_use_ = true;                      // the machine, in the last epoch
    core::ReturnWatch returns_;
    core::Seconds attended_{0};                   // since the last decision
    core::Pages opaque_at_scan_{0};               // memory of opaque programs at the end of the last epoch
    std::optional<core::Pages> evicted_;          // since then, if the source knows
    std::optional<core::Seconds> last_scan_cpu_;  // processor time of this process when the last epoch was decided
};

}  // namespace tmm::app
