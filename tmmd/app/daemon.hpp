// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Daemon: does the work of one tick. It steps the epoch, applies the owner's settings to the decision, writes the limits, holds
// or releases contributions, and publishes. When an adapter fails, it closes all adapters, so that the kernel returns to its safe
// defaults. It opens them again at the next tick; the owner's settings stay in force. Between two ticks, an alarm of the kernel
// may have it freeze contributions at once. It has neither clock nor event loop: main() calls it. Not thread-safe.
#pragma once

#include <poll.h>

#include <optional>
#include <span>
#include <vector>

#include "base/log.hpp"
#include "base/problem_log.hpp"
#include "base/root_dir.hpp"
#include "tmmd/app/adapters.hpp"
#include "tmmd/app/contributions/contribution_keeper.hpp"
#include "tmmd/app/epoch_stepper.hpp"
#include "tmmd/app/learned_state.hpp"
#include "tmmd/app/outputs.hpp"
#include "tmmd/app/owner/owner_settings.hpp"
#include "tmmd/app/reporting/notices.hpp"
#include "tmmd/app/reporting/publisher.hpp"
#include "tmmd/app/reporting/snapshot.hpp"
#include "tmmd/app/reporting/usage_recorder.hpp"
#include "tmmd/app/return_reader.hpp"
#include "tmmd/config/config.hpp"
#include "tmmd/core/moment.hpp"
#include "tmmd/core/protection/sort_pace.hpp"
#include "tmmd/os/counters/stall_alarm.hpp"
#include "tmmd/os/counters/swap_memory.hpp"

namespace tmm::app {

class Daemon {
public:
    // installed: memory of the machine. root and log must outlive the daemon. dry_run: write no limit, mark no cgroup, save
    // nothing.
    Daemon(const config::Config& config, const RootDir& root, const Log& log, AdapterFactory adapters, core::Pages installed,
           bool dry_run, Outputs outputs);

    // Restores the owner's settings, the history and the learned state, and opens the adapters. A saved state that cannot be used
    // is no error. Error: an adapter cannot be opened, so tmmd cannot work on this machine now.
    Result<void> start(const core::Moment& now);

    // Call it every config.tick(). It logs a problem when it begins and when it ends. Returns the policy's decision; nothing
    // while an adapter is broken or when no decision was due.
    std::optional<core::Decision> tick(const core::Moment& now);

    // The files to poll(2) until the next tick.
    [[nodiscard]] std::vector<pollfd> alarm_files() const { return alarm_.files(); }
    // Call it if one of them is ready, with the reports of poll(2): freezes contributions if opaque tasks wait for memory.
    void take_alarm(std::span<const pollfd> reports, const core::Moment& now);

    // Saves the learned state and the history. The daemon can go on.
    void save_state();

    // Thaws the held contributions, because the daemon ends.
    void release_all() { keeper_.contributions().release_all(); }

    void set_config(const config::Config& config);

    // Applies the command before it returns. Error: the command is in force, but could not be saved.
    Result<void> apply_command(const core::OwnerCommand& command, const core::Moment& now);

    // What desktops say of the people here; it counts from the next tick on.
    void see_sessions(const core::DesktopSessions& sessions, const core::Moment& now) { owner_.see_sessions(sessions, now); }

    [[nodiscard]] Snapshot snapshot(const core::Moment& now) const;
    [[nodiscard]] Condition condition() const;
    [[nodiscard]] const core::UsageHistory& history() const { return usage_recorder_.history(); }
    [[nodiscard]] const core::DecisionLog& decisions() const { return usage_recorder_.decisions(); }
    [[nodiscard]] const core::Policy& policy() const { return stepper_.policy(); }

    // As of the last discovery.
    [[nodiscard]] Contributions& contributions() { return keeper_.contributions(); }
    void discover_contributions() { keeper_.discover(); }

private:
    // The policy's last decision and the memory usage that it is for.
    struct Latest {
        core::Decision decision;
        core::MemoryUsage usage;
    };

    Result<std::optional<EpochStep>> step_epoch(const core::Moment& now);
    [[nodiscard]] std::optional<bool> attended(const core::Moment& now);
    [[nodiscard]] core::GivingInputs giving_inputs(bool alarm);
    void read_memory(core::GivingInputs& inputs);
    [[nodiscard]] core::Pages read_back(const core::GivingInputs& inputs, const core::Moment& now);
    void follow_settings(const core::Moment& now, bool alarm);
    void settle(const core::Moment& now, bool alarm);
    void watch_stalls();
    void tell_needs(const core::Moment& now);
    void sort_pages(const core::EpochSample& sample);
    Result<void> write_limits();
    void close_adapters(const Error& error);
    void publish(EpochStep step, const core::Moment& now);
    [[nodiscard]] std::optional<core::Usage> usage_in_force() const;

    config::Config config_;
    const RootDir& root_;
    const Log& log_;
    AdapterFactory factory_;
    bool dry_run_;
    EpochStepper stepper_;
    LearnedState learned_;
    OwnerSettings owner_;
    ContributionKeeper keeper_;
    ReturnReader return_reader_;
    os::SwapMemory swap_memory_;
    os::StallAlarm alarm_;
    bool watched_ = false;  // with the parameters in force
    UsageRecorder usage_recorder_;
    Publisher publisher_;
    std::optional<Adapters> adapters_;
    std::optional<Latest> latest_;
    core::GivingDecision given_;         // the latest decision after the owner's settings
    std::optional<os::Limits> written_;  // limits in force
    ProblemLog problem_;
    ProblemLog enforcement_;  // why limits are in force only in part
    bool scanned_ = false;    // since the sink was told of needs
    std::optional<core::AwakeTime> told_needs_;
    ProblemLog needs_problem_;
    core::SortPace sort_pace_;
    core::Seconds attended_{0};  // since it was asked last
    ProblemLog sort_problem_;
    ProblemLog alarm_problem_;
    ProblemLog evict_problem_;
    ProblemLog lost_source_;  // SampleSource::problem()
    bool no_kernel_ = false;  // the problem: the running kernel has no TMM
};

}  // namespace tmm::app
